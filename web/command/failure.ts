/** Ends the command with a message and an exit code: 2 for wrong usage and what can't be read, 3 for what isn't known. */
export class Failure extends Error {
  readonly code: number;

  constructor(message: string, code: 2 | 3 = 2) {
    super(message);
    this.code = code;
  }
}
