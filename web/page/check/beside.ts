/** The config.json beside the table, which the two panels of Check share. */

import type { EncodingsOfOptions } from 'posenc/models';

type File = { config: object; options: EncodingsOfOptions };

let file: File | undefined;
let listener = (): void => {};

export const beside = {
  current: () => file,
  set(next: File | undefined) {
    file = next;
    listener();
  },
  /** @param next called when there is another file, or none */
  follow(next: () => void) {
    listener = next;
  },
};
