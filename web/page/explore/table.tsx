import '../../figure/panels/table.css';
import { hasField } from '../../figure/index.ts';
import { TablePanel } from '../../figure/panels/table-panel.tsx';
import type { Shown } from '../component.tsx';
import { isTrained } from '../words/trained-table.ts';

export function Figure({ view, ...rest }: Shown) {
  const isRandom = hasField(view, 'weights') && !view.file;
  return (
    <TablePanel view={view} {...rest}>
      <span class="origin">
        {isTrained(view)
          ? 'These are the positions of all-MiniLM-L6-v2, rounded to 8 bits. Training alone made their waves.'
          : isRandom && 'The rows are random, as those of a new nn.Embedding before training.'}
      </span>
    </TablePanel>
  );
}
