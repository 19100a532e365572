import '../../figure/panels/shared.css';
import '../../figure/rows-of-words.css';
import '../../figure/panels/shuffle.css';
import { shufflePanel } from '../../figure/panels/shuffle.js';
import { ofTokens } from './tokens.js';

export default ofTokens(shufflePanel);
