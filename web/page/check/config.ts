import { signal } from '@preact/signals';
import type { EncodingsOfOptions } from 'posenc/models';

/** The config.json beside the table, which the two panels of Check share. */
export const config = signal<{ config: object; options: EncodingsOfOptions }>();
