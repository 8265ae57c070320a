export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Renders a page outside the client, such as the sign-in page. */
export function renderPage(title: string, lead: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} - Bursar</title><link rel="stylesheet" href="/signin.css"><link rel="icon" href="/icon.svg"></head>
<body>
<main>
<h1>Bursar</h1>
<p class="lead">${escapeHtml(lead)}</p>
${body}
</main>
</body>
</html>`
}

export function renderProblem(problem: string | null): string {
  return problem ? `<p id="problem" class="problem" role="alert">${escapeHtml(problem)}</p>` : ''
}
