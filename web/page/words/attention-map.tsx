import './words.css';

/** The most words of a map: more would be too small to be read. */
export const MOST_LABELS = 24;
/** The least weight whose number is worth a look, and those from which black or white has more contrast in dark and in light colours. */
const [FAINT, HALF, STRONG] = [0.05, 0.59, 0.81];
/** The most words with numbers in their cells, and the most that stand above columns side by side. */
const [NUMBERS, ACROSS] = [8, 6];

export interface WordMap {
  caption: string;
  labels: string[];
  weights: Float32Array;
}

export function AttentionMap({ caption, labels, weights }: WordMap) {
  const count = labels.length;
  const classes = ['attention', count > NUMBERS && 'dense', count > ACROSS && 'upright'].filter(Boolean).join(' ');
  return (
    <figure class="attention-map">
      <figcaption>{caption}</figcaption>
      <table class={classes} style={{ '--count': count }}>
        <thead>
          <tr>
            <td />
            {labels.map((label, k) => (
              <th key={k} scope="col">
                <bdi>{label}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, row) => (
            <tr key={row}>
              <th scope="row">
                <bdi>{label}</bdi>
              </th>
              {labels.map((_, column) => {
                const weight = weights[row * count + column];
                return (
                  <td
                    key={column}
                    class={weight > STRONG ? 'strong' : weight > HALF ? 'half' : weight < FAINT ? 'faint' : ''}
                    style={{ '--weight': weight.toFixed(3) }}
                  >
                    <span>{weight.toFixed(2)}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
