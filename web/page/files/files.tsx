import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLatest } from '../../figure/components.tsx';
import type { Offer } from './tensors.ts';

/**
 * A button that opens a file. One can also be dropped.
 *
 * @param area the selector of the element around it that takes dropped files
 */
export function FilePicker({
  label,
  accept,
  area = '.panel',
  describedby,
  onFile,
}: {
  label: string;
  accept?: string;
  area?: string;
  describedby?: string;
  onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const handler = useLatest(onFile);
  useLayoutEffect(() => {
    const root = input.current?.closest<HTMLElement>(area);
    root?.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      root.classList.add('over');
    });
    root?.addEventListener('dragleave', ({ relatedTarget }) => {
      if (!root.contains(relatedTarget as Node | null)) root.classList.remove('over');
    });
    root?.addEventListener('drop', (event) => {
      root.classList.remove('over');
      const dropped = event.dataTransfer?.files[0];
      if (!dropped) return;
      event.preventDefault();
      handler.current(dropped);
    });
  }, []);
  return (
    <>
      <button type="button" class="open" aria-describedby={describedby} onClick={() => input.current?.click()}>
        {describedby ? `${label}…` : 'Open a file…'}
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        hidden
        onChange={({ currentTarget }) => {
          if (currentTarget.files?.[0]) onFile(currentTarget.files[0]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** The tensors of a file that has several. */
export const TensorChoice = ({
  id,
  offer,
  onChoose,
}: {
  id: string;
  offer?: Offer;
  onChoose: (name: string) => void;
}) =>
  offer && (
    <div class="tensor">
      <label for={id}>Tensor</label>
      <select id={id} value={offer.chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">Choose one</option>
        {offer.listed.map(({ name, label, fits }) => (
          <option key={name} value={name} disabled={!fits}>
            {label}
          </option>
        ))}
        {offer.others && <option disabled>{offer.others}</option>}
      </select>
    </div>
  );
