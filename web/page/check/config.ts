import type { EncodingsOfOptions } from 'posenc/models';
import { createHolder } from '../holder.ts';

/** The config.json beside the table, which the two panels of Check share. */
export const config = createHolder<{ config: object; options: EncodingsOfOptions } | undefined>(undefined);
