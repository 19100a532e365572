/** The page around the figures, absent in a frame: its head, the drawers and the notes. */

import './around.css';
import './print.css';
import { useLayoutEffect, useState } from 'preact/hooks';
import { createAddress } from './address.ts';
import { Section, type Sectioned } from './component.tsx';
import { Choices } from './field.tsx';
import { followLinks, goTo, ViewLink } from './links.tsx';
import { offered, opened, opening, presented, visible } from './places.ts';
import { bindPresenter, presentFigure } from './present.ts';
import { createQueue } from './queue.ts';
import type { Context, Controlled, View } from './types.ts';

export { bindPresenter, createAddress, createQueue, followLinks, goTo };

const PLACE_NAMES = { learn: 'Learn', explore: 'Explore', check: 'Check' } as const;

/** Links to the places. The current place's link only takes the focus. */
const Places = ({ view, navigate }: Pick<Context, 'navigate'> & { view: View }) => (
  <nav class="places line" aria-label="Places">
    {Object.entries(PLACE_NAMES).map(([name, title]) => (
      <ViewLink
        key={name}
        view={view}
        to={name === view.place ? undefined : opening(view, name as View['place'])}
        navigate={(to) => navigate(to, null)}
        data-place={name}
        aria-current={name === view.place ? 'page' : undefined}
      >
        {title}
      </ViewLink>
    ))}
  </nav>
);

export const Names = ({ view, change }: Controlled) => {
  const figures = offered(view);
  return (
    <Choices
      class="names row"
      label="The figure below the table"
      hidden={view.present || view.place !== 'explore' || figures.length === 0}
      options={Object.fromEntries(figures.map(({ id, title = id }) => [id, title]))}
      value={opened(view)?.id}
      onChoose={(id) => change({ show: id as View['show'] }, true)}
    />
  );
};

/** Panels beside the figures, opened by their buttons. */
const DRAWERS = ['take', 'settings'];

function Drawer({ id, ...rest }: { id: string } & Omit<Sectioned, 'shown'>) {
  // Old browsers show it at the end of the page.
  const [open, setOpen] = useState(!('popover' in HTMLElement.prototype));
  useLayoutEffect(() => {
    const section = document.getElementById(id);
    const follow = (event: Event) => setOpen((event as ToggleEvent).newState === 'open');
    section?.addEventListener('beforetoggle', follow);
    return () => section?.removeEventListener('beforetoggle', follow);
  }, [id]);
  return <Section id={id} class="panel drawer" popover="auto" aria-labelledby={`${id}-title`} shown={open} {...rest} />;
}

const Note = ({ text, onClose }: { text: string; onClose: () => void }) => (
  <div id="notes" class="notes line" role="status" hidden={text === ''}>
    <p>{text}</p>
    <button type="button" onClick={onClose}>
      Close
    </button>
  </div>
);

const SECTION_NAMES = { learn: 'story', explore: 'explore', check: 'checks' } as const;

/**
 * Moves the focus from what has been hidden to the figure that is open instead, or else to the place.
 *
 * @param focused had the focus before
 * @param explored whether that was in Explore
 */
function keepFocus(view: View, focused: Element | null, explored: boolean) {
  if (!focused || focused === document.body || focused.getClientRects().length > 0) return;
  const figure = view.place === 'explore' && explored && opened(view)?.id;
  const target = document.getElementById(presented(view) || figure || SECTION_NAMES[view.place]) as HTMLElement;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Keeps the focus where something is shown. @param note is said above the figures */
export function useFocus(view: View, note: string) {
  // It would lose the focus by being hidden.
  const focused = document.activeElement;
  const explored = focused?.closest('#explore') !== null;
  useLayoutEffect(() => {
    // The drawers belong to the sentence. The focus goes back to it before it is hidden.
    if (!visible(view).includes('choose')) for (const id of DRAWERS) document.getElementById(id)?.hidePopover?.();
  }, [view]);
  useLayoutEffect(() => keepFocus(view, focused, explored), [view, note]);
}

export const Bar = ({ view, context: { navigate, change, current } }: { view: View; context: Context }) => (
  <>
    <a class="skip" href="#panels">
      Skip to the content
    </a>
    <header class="bar">
      <h1>Positional encodings</h1>
      <Places {...{ view, navigate }} />
      <button type="button" class="present" onClick={() => presentFigure(change, current())}>
        Present
      </button>
    </header>
  </>
);

export const Rest = ({
  view,
  note,
  context,
  closeNote,
  load,
}: {
  view: View;
  note: string;
  context: Context;
  closeNote: () => void;
  load: (id: string) => ReturnType<Sectioned['load']>;
}) => (
  <>
    {DRAWERS.map((id) => (
      <Drawer key={id} load={() => load(id)} {...{ id, view, context }} />
    ))}
    <Note text={note} onClose={closeNote} />
    {presented(view) === '' && (
      <footer class="note">
        <p>
          Everything is computed in your browser: encodings, sums and similarities by C++ in WebAssembly. Nothing is
          sent anywhere. <a href="NOTICES.txt">Licences of what it contains</a>
        </p>
      </footer>
    )}
  </>
);
