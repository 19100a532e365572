import type { EncodingsOfOptions } from 'posenc/models';
import { createCell } from '../cell.ts';

/** The config.json beside the table, which the two panels of Check share. */
export const config = createCell<{ config: object; options: EncodingsOfOptions } | undefined>(undefined);
