import { spawn } from 'node:child_process';

/**
 * Reads jobs, a script and its input each, and runs them one after the other, so that modules are imported once. The answer is a
 * letter (o for output, m for a missing module, e for an error) and bytes.
 */
const SERVER = `
import io, struct, sys, traceback
source, sink = sys.stdin.buffer, sys.stdout.buffer

def part():
    size = source.read(4)
    return source.read(struct.unpack("<I", size)[0]) if size else None

while (module := part()) is not None:
    script, given = part(), part()
    sys.stdin, sys.stdout = io.TextIOWrapper(io.BytesIO(given)), io.TextIOWrapper(io.BytesIO())
    name = module.decode()
    try:
        names = {name: __import__(name)}
    except ImportError:
        kind, answer = b"m", b""
    else:
        try:
            exec(script.decode(), names)
            sys.stdout.flush()
            kind, answer = b"o", sys.stdout.buffer.getvalue()
        except BaseException:
            kind, answer = b"e", traceback.format_exc().encode()
    sink.write(kind + struct.pack("<I", len(answer)) + answer)
    sink.flush()
`;

type Ask = (parts: (string | Uint8Array)[]) => Promise<{ kind: string; bytes: Buffer }>;

/** A Python that stays until this process ends. */
function start(command: string): Ask {
  const child = spawn(command, ['-c', SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout } = child;
  const failed = new Promise((_, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${command} ended with ${code}`)));
  });
  failed.catch(() => {});
  const chunks = stdout.iterator();
  let held = Buffer.alloc(0);
  const take = async (count: number) => {
    while (held.length < count) {
      const { value } = await Promise.race([chunks.next(), failed as Promise<never>]);
      held = Buffer.concat([held, value]);
    }
    const bytes = held.subarray(0, count);
    held = held.subarray(count);
    return bytes;
  };
  let before: Promise<unknown> = Promise.resolve();
  const ask: Ask = async (parts) => {
    for (const part of parts) {
      const bytes = Buffer.from(part);
      const size = Buffer.alloc(4);
      size.writeUInt32LE(bytes.length);
      stdin.write(size);
      stdin.write(bytes);
    }
    const head = await take(5);
    return { kind: String.fromCharCode(head[0]), bytes: await take(head.readUInt32LE(1)) };
  };
  // It does not keep this process alive between its jobs.
  const hold = (way: 'ref' | 'unref') => {
    for (const one of [child, stdin, stdout]) (one as any)[way]();
  };
  hold('unref');
  return (parts) => {
    const answer = before.then(() => {
      hold('ref');
      return ask(parts).finally(() => hold('unref'));
    });
    before = answer.catch(() => {});
    return answer;
  };
}

/** The Pythons that were started. */
const started = new Map<string, Ask>();

/**
 * Runs a script in the first Python that has a module. Scripts share a process, and no names.
 *
 * @param module imported before the script
 * @param script reads its input from sys.stdin, and writes to sys.stdout
 * @returns the script's output; undefined if no Python has the module
 */
export async function runPython(
  module: string,
  script: string,
  input: string | Uint8Array,
): Promise<Buffer | undefined> {
  for (const command of ['python3', '/usr/bin/python3']) {
    if (!started.has(command)) started.set(command, start(command));
    const ask = started.get(command) as Ask;
    const answer = await ask([module, script, input]).catch((error) => {
      if (error.code === 'ENOENT') return { kind: 'm', bytes: Buffer.alloc(0) };
      throw error;
    });
    if (answer.kind === 'o') return answer.bytes;
    if (answer.kind === 'e') throw new Error(String(answer.bytes));
  }
  return undefined;
}

/** The reason for skipping a test. */
export const missing = (module: string) => `${module} was not found; on Debian, the package python3-${module} has it`;
