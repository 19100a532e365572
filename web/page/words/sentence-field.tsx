import './words.css';
import { MAX_TEXT } from '../../spec/fields.ts';
import { Retry, useTyped } from '../field.tsx';
import type { Controlled } from '../types.ts';
import { type Sentence, wordSentence } from './read.ts';

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** The direction of a text's first letter. The browser's `dir="auto"` may take minutes for megabytes. */
const findTextDirection = (text: string) => (RIGHT_TO_LEFT.test(text.match(/\p{L}/u)?.[0] ?? '') ? 'rtl' : 'ltr');

/** The reader's sentence, which all places share. */
export function SentenceField({ id, view, change, sentence }: Controlled & { id: string; sentence: Sentence }) {
  const { text } = view;
  const [shown, type] = useTyped(text);
  const edit = (settled: boolean) => (event: { currentTarget: HTMLTextAreaElement }) => {
    const typed = event.currentTarget.value.slice(0, MAX_TEXT).replace(/\s*\n\s*/g, ' ');
    type(typed);
    change({ text: typed, shuffle: [] }, settled);
  };
  return (
    <div class="your-sentence">
      <label for={id}>Your sentence</label>
      <textarea
        id={id}
        rows={1}
        maxLength={MAX_TEXT}
        spellcheck={false}
        autocomplete="off"
        dir={findTextDirection(text)}
        aria-describedby={`${id}-note`}
        value={shown}
        onInput={edit(false)}
        onChange={edit(true)}
      />
      <p class={sentence.problem ? 'note error' : 'note'} id={`${id}-note`} role="status">
        {sentence.problem || wordSentence(sentence)}
      </p>
      {!sentence.words && <Retry change={change} />}
    </div>
  );
}
