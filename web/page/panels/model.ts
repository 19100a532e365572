import '../controls.css';
import './answer.css';
import './model.css';
import { element, find, kindOf, nextPaint } from '../../figure/index.ts';
import { beside } from '../check/beside.ts';
import { createCodeBox } from '../copy.ts';
import { pickFile } from '../files/pick.ts';
import { createAttempts } from '../files/tensors.ts';
import type { Answer } from '../model.ts';
import { MODELS } from '../models.ts';
import { isPlain } from '../places.ts';
import type { Context, Render, View } from '../types.ts';
import { toHash } from '../url.ts';
import render from './model.html?markup';

/** The most bytes of a model's file; most have a few kilobytes. */
const MOST = 2 ** 20;

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch (error) {
    const advice = /:\s*-?(NaN|Infinity)\b|[[,]\s*-?(NaN|Infinity)\b/.test(text);
    const hint = advice ? ' Python writes NaN and Infinity, which JSON doesn’t have: put null in their place.' : '';
    throw new Error(`This is not JSON: ${(error as Error).message}.${hint}`);
  }
}

/** A cell for each layer, in the colour of its kind, and a choice among the kinds. Layers without positions are hollow. */
function createLayers(root: HTMLElement, show: (answer: Answer) => void) {
  const strip = find(root, '.strip', HTMLElement);
  const kinds = find(root, '.kinds', HTMLElement);

  return (answers: Answer[]) => {
    const cells: HTMLElement[] = [];
    let colours = 0;
    const choices = answers.map((answer, i) => {
      const colour = answer.card.call === '' ? 'still' : `colour-${colours++ % 4}`;
      for (const number of answer.numbers ?? []) cells[number] = element('span', colour);
      const input = Object.assign(element('input', ''), { type: 'radio', name: 'model-layers', checked: i === 0 });
      input.addEventListener('change', () => show(answer));
      return element('label', '', input, element('span', `key ${colour}`), answer.name);
    });
    strip.replaceChildren(...cells);
    strip.setAttribute('aria-label', answers.map(({ name }) => name).join('; '));
    kinds.replaceChildren(...choices);
    root.hidden = answers.length < 2;
  };
}

/** The links from a card to its figures in Explore. Opened in another tab, they are whole views. */
function createLinks(
  root: HTMLElement,
  { change, pending }: Context,
  complain: (refusal: string) => void,
): (view: View, patch: Partial<View> | undefined) => void {
  const figure = find(root, '.figure', HTMLAnchorElement);
  const frequencies = find(root, '.frequencies', HTMLAnchorElement);
  const views = new Map<HTMLAnchorElement, Partial<View>>();
  for (const link of [figure, frequencies]) {
    link.addEventListener('click', (event) => {
      const asked = views.get(link);
      if (!asked || !isPlain(event)) return;
      event.preventDefault();
      const refusal = change(asked, true);
      if (refusal) return complain(refusal);
      scrollTo({ top: 0 });
      const section = find(document, `#${asked.show}`, HTMLElement);
      pending.until(nextPaint().then(() => section.scrollIntoView({ block: 'nearest' })));
    });
  }
  return (view, patch) => {
    for (const link of [figure, frequencies]) link.hidden = !patch;
    if (!patch) return;
    const { panels } = kindOf({ ...view, ...patch });
    const [first] = panels;
    frequencies.hidden = !panels.some((id) => id === 'frequencies');
    figure.textContent = `Its ${first === 'bias' ? 'biases' : 'table'} in Explore`;
    for (const [link, show] of [
      [figure, first],
      [frequencies, 'frequencies'],
    ] as const) {
      const asked = { ...patch, show, place: 'explore' as const };
      views.set(link, asked);
      link.href = toHash({ ...view, ...asked });
    }
  };
}

/** The answer to a model's file: its encoding as a card, or the reason why there is none. */
function createAnswer(root: HTMLElement, context: Context) {
  const part = (selector: string) => find(root, selector, HTMLElement);
  const problem = part('.error');
  const copy = createCodeBox(part('.code'));
  const drawLinks = createLinks(root, context, (refusal) => {
    problem.textContent = refusal;
  });
  let view: View;
  let patch: Partial<View> | undefined;

  return {
    current: () => view,
    follow(next: View) {
      view = next;
      drawLinks(view, patch);
    },
    draw(answer: Answer | undefined) {
      part('.card').hidden = !answer;
      part('.verdict').textContent = answer?.card.family ?? '';
      patch = answer?.patch;
      drawLinks(view, patch);
      if (!answer) return;
      const { card, unshown = '' } = answer;
      const facts = Object.entries(card.facts).map(([name, value]) =>
        element('div', '', element('dt', '', name), element('dd', '', value)),
      );
      part('.facts').replaceChildren(...facts);
      part('.assumed').replaceChildren(...card.notes.map((note) => element('li', '', note)));
      part('.unshown').textContent = unshown;
      part('.code').hidden = card.call === '';
      copy.show(card.call);
    },
    complain(message: string) {
      problem.textContent = message;
      find(root, 'textarea', HTMLElement).setAttribute('aria-invalid', String(message !== ''));
    },
  };
}

/**
 * Answers a model's file. If it can't be read, the reason is shown, and the view stays.
 *
 * @returns takes what gets the text of the file, and whether it is another one; a later call cancels the earlier one
 */
function createTake(
  root: HTMLElement,
  { pending }: Context,
  answer: ReturnType<typeof createAnswer>,
): (source: () => Promise<string> | string, isOther: boolean) => void {
  const part = find(root, '#model-part', HTMLSelectElement);
  const drawLayers = createLayers(find(root, '.layers', HTMLElement), answer.draw);
  const offerParts = (parts: string[]) => {
    part.replaceChildren(...parts.map((name) => new Option(name)));
    find(root, '.part', HTMLElement).hidden = parts.length === 0;
  };
  const { attempt } = createAttempts({
    pending,
    onStart() {},
    onEnd(message) {
      answer.complain(message);
      if (message) answer.draw(undefined);
    },
  });
  return (source, isOther) =>
    attempt('', async (outdated) => {
      const [{ readModel }, text] = await Promise.all([import('../model.ts'), source()]);
      if (outdated()) return;
      if (isOther) offerParts([]);
      drawLayers([]);
      beside.set(undefined);
      if (text.trim() === '') return answer.draw(undefined);
      const options = part.value ? { part: part.value as 'text' } : {};
      const config = parse(text);
      const { answers, parts } = readModel(config, options, answer.current());
      beside.set({ config, options });
      if (parts.length > 0) offerParts(parts);
      drawLayers(answers);
      answer.draw(answers[0]);
    });
}

/** The encoding of a model, chosen or read from its file. */
export default function modelPanel(root: HTMLElement, context: Context): Render {
  render(root);
  const known = find(root, '#known-model', HTMLSelectElement);
  const part = find(root, '#model-part', HTMLSelectElement);
  const box = find(root, 'textarea', HTMLTextAreaElement);
  const answer = createAnswer(root, context);
  const take = createTake(root, context, answer);
  const takeOther = (source: Parameters<typeof take>[0]) => take(source, true);
  const fill = (text: string) => {
    box.value = text;
    return text;
  };

  known.append(new Option('your own', ''), ...Object.keys(MODELS).map((name) => new Option(name)));
  known.addEventListener('change', () => {
    takeOther(() => fill(known.value ? JSON.stringify(MODELS[known.value], null, 2) : ''));
  });
  part.addEventListener('change', () => take(() => box.value, false));
  box.addEventListener('input', () => {
    known.value = '';
    takeOther(() => box.value);
  });
  pickFile(root, (file) => {
    known.value = '';
    takeOther(async () => {
      if (file.size > MOST) throw new Error(`${file.name} is too large for the config.json of a model.`);
      return fill(await file.text());
    });
  });

  return answer.follow;
}
