import './copy.css';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useStateFor } from './field.tsx';

/**
 * Text in a box, with a button that copies it. Where a page may not copy, as in a sandboxed frame, the text is selected for the keyboard.
 *
 * @param name of what is copied, for its button
 */
export function CopyBox({
  as: Box,
  text,
  name,
  ...more
}: { as: 'input' | 'textarea' | 'pre'; text: string; name?: string } & { id?: string; rows?: number }) {
  const box = useRef<any>(null);
  const [result, say] = useStateFor(text, '');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say('Copied.');
    } catch {
      const { current } = box;
      current.focus();
      if (Box === 'pre') getSelection()?.selectAllChildren(current);
      else current.select();
      say('Copying is not allowed here. The text is selected: press Ctrl + C or ⌘ C.');
    }
  };
  return (
    <>
      {Box === 'pre' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls code that is wider than its box.
        <pre ref={box} tabIndex={0}>
          {text}
        </pre>
      ) : (
        <Box ref={box} value={text} readOnly {...more} />
      )}
      <button type="button" onClick={copy}>
        {name ? `Copy ${name}` : 'Copy'}
      </button>
      <output>{result}</output>
    </>
  );
}

/** Code that can be copied. @param children its title */
export const CodeBox = ({ code, children }: { code: string; children: ComponentChildren }) => (
  <div class="code row" hidden={code === ''}>
    {children}
    <CopyBox as="pre" text={code} />
  </div>
);
