/** Text as it may stand in HTML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** A small page outside the product: signing in, choosing a password. */
export function outsidePage(title: string, lead: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)} - Bursar</title><link rel="stylesheet" href="/signin.css"><link rel="icon" href="/icon.svg"></head>
<body>
<main>
<h1>Bursar</h1>
<p class="lead">${escaped(lead)}</p>
${body}
</main>
</body>
</html>`
}

/** What went wrong, above a form. */
export function problemLine(problem: string | null): string {
  return problem ? `<p id="problem" class="problem" role="alert">${escaped(problem)}</p>` : ''
}
