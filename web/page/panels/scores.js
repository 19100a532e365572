import '../../figure/chart.css';
import '../../figure/panels/shared.css';
import '../../figure/panels/scores.css';
import { scoresPanel } from '../../figure/panels/scores.js';
import { ofTokens } from './tokens.js';

export default ofTokens(scoresPanel);
