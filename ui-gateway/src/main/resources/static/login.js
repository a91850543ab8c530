// Begins a session and goes on to the page that wanted it.
const form = document.getElementById('login');
const failure = document.getElementById('failure');
const button = form.querySelector('button');

/** The page to go to: one of this server only, so that a link cannot lead elsewhere after the login. */
function next() {
  const wanted = new URLSearchParams(location.search).get('next') ?? '/';
  const url = new URL(wanted, location.origin);
  return url.origin === location.origin ? url.href : '/'; // the path alone could begin with //, another server
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  failure.textContent = '';
  button.disabled = true;
  try {
    const response = await fetch('/api/v1/session', {
      method: 'POST',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({user: form.elements.user.value, password: form.elements.password.value}),
    });
    if (response.ok) {
      location.assign(next());
      return;
    }
    const problem = await response.json().catch(() => ({}));
    failure.textContent = problem.detail ?? `The server answered with status ${response.status}.`;
    form.elements.password.select();
  } catch {
    failure.textContent = 'The server cannot be reached. Try again.';
  }
  button.disabled = false;
});
