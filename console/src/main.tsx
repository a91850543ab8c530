import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/features.css';
import './styles/traces.css';
import { render } from 'preact';
import { App } from './shell/App';
import { startRouting } from './shell/router';
import { followSystem } from './shell/theme';

followSystem();
startRouting();
const place = document.getElementById('app');
if (place !== null) {
  render(<App />, place);
}
