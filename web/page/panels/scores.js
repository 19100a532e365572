import '../../figure/panels/shared.css';
import '../../figure/panels/scores.css';
import { embedding, rotary } from 'posenc';
import { scoresPanel } from '../../figure/panels/scores.js';
import { ofTokens } from './tokens.js';

export default ofTokens((root, context) =>
  scoresPanel(root, { ...context, posenc: { ...context.posenc, embedding, rotary } }),
);
