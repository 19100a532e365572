import { useMemo } from 'preact/hooks';
import { CodeBox } from '../copy.tsx';
import { writeCode } from '../families/index.ts';
import { Select, useStateFor } from '../field.tsx';
import type { Change, View } from '../types.ts';
import { Difference } from './difference.tsx';
import type { Finding } from './finding.ts';
import type { GivenTable } from './reading.ts';
import { createMaking, findSettings } from './settings.ts';

export const Facts = ({ facts }: { facts: Record<string, string> }) => (
  <dl class="facts">
    {Object.entries(facts).map(([name, value]) => (
      <div key={name}>
        <dt class="note">{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const FindingLine = ({ kind, name, code }: { kind: string; name: string; code: string }) => (
  <div class={kind}>
    <dt class="note">{name}</dt>
    <dd>
      <pre>{code}</pre>
    </dd>
  </div>
);

/** The lines that mend a table, each with the line that it replaces. */
function Fixes({ deviations, dialect }: Pick<Finding, 'deviations' | 'dialect'>) {
  const fixes = deviations.filter(({ wrong }) => wrong);
  if (!fixes.length) return null;
  return (
    <div class="slips stack">
      <h3>{`The fix, with the names of ${dialect}`}</h3>
      {fixes.map(({ wrong = '', right }) => (
        <dl key={wrong} class="stack">
          {right && <FindingLine kind="right" name="Write" code={right} />}
          <FindingLine kind="wrong" name={right ? 'in place of' : 'Leave out'} code={wrong} />
        </dl>
      ))}
    </div>
  );
}

interface Languages {
  language: View['language'];
  setLanguage: (language: View['language']) => void;
}

function Code({
  finding: { making, length },
  isShown,
  language: wanted,
  setLanguage,
}: Languages & { finding: Finding; isShown: boolean }) {
  if (!making)
    return (
      <p class="note">Too few values agree to suggest a fix. Check its first rows alone, or a part of its columns.</p>
    );
  const called = 'javascript' in making;
  const lacks = { pytorch: called, javascript: !called && !isShown };
  const language = lacks[wanted] ? (called ? 'javascript' : 'pytorch') : wanted;
  const built = called ? undefined : createMaking(making, length);
  const code = called ? making.javascript : writeCode(language, built!.view, built!.encoding);
  return (
    <CodeBox code={code}>
      <h3 id="mine-code">Code for the correct table</h3>
      <Select
        aria-labelledby="mine-code"
        value={language}
        options={{ pytorch: 'PyTorch', javascript: 'JavaScript' }}
        lacks={(name) => lacks[name as View['language']]}
        onChoose={(name) => setLanguage(name as View['language'])}
      />
    </CodeBox>
  );
}

/** What a table is beyond its name: its numbers, the button that shows it on the page, what mends it, its difference, and its code. */
export function Details({
  finding,
  table,
  change,
  ...languages
}: Languages & { finding: Finding; table: GivenTable; change: Change }) {
  const { facts, shown, length, deviations, dialect, compared, undrawn } = finding;
  const [settings, refusal] = useMemo(() => {
    try {
      return [findSettings(shown, length), ''];
    } catch (error) {
      return [undefined, `The page can’t show it: ${(error as Error).message}.`];
    }
  }, [finding]);
  const [result, say] = useStateFor(finding, '');
  const show = () => {
    say(change({ ...settings, place: 'explore' }, true) || 'Explore shows it now.');
  };
  return (
    <div class="details grid">
      <div>
        {Object.keys(facts).length > 0 && <Facts facts={facts} />}
        <p class="row">
          <button type="button" class="show" disabled={!settings} onClick={show}>
            Show it in Explore
          </button>{' '}
          <span class="shown-or-not note" role="status">
            {result || refusal}
          </span>
        </p>
        <Fixes deviations={deviations} dialect={dialect} />
        <Code finding={finding} isShown={settings !== undefined} {...languages} />
      </div>
      {compared ? <Difference table={table} compared={compared} /> : <p class="elsewhere note">{undrawn}</p>}
    </div>
  );
}
