import { escapeHtml, renderPage, renderProblem } from './html.ts'
import { buildProblemAttributes } from './oneTimePage.ts'
import type { AuthenticatorSetup } from './secondStep.ts'

function stepPage(title: string, { lead, uid, body }: { lead: string; uid: string; body: string }): string {
  const action = `action="/interaction/${escapeHtml(uid)}"`
  return renderPage(
    title,
    lead,
    `<form method="post" ${action}>
${body}
</form>
<form method="post" ${action}><button class="quiet" name="again" value="1">Start again</button></form>`,
  )
}

function codeInput(label: string, problem: string | null, longest: number): string {
  const mode = longest === 6 ? ' inputmode="numeric" pattern="[0-9]{6}"' : ''
  return `<label for="code">${label}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required maxlength="${longest}"${mode} autofocus${buildProblemAttributes(problem)}>`
}

const passkeyHint = '<p class="hint">Your passkey needs no code: start again and use it.</p>'

export function renderSecondStepCodePage(uid: string, holdsPasskey: boolean, problem: string | null): string {
  return stepPage('Two-step verification', {
    lead: 'One more step: enter the code from your authenticator app.',
    uid,
    body: `${renderProblem(problem)}
${codeInput('Code', problem, 24)}
<p class="hint">If you do not have your phone, enter one of your recovery codes.</p>
${holdsPasskey ? passkeyHint : ''}
<button type="submit">Sign in</button>`,
  })
}

export function renderAuthenticatorSetupPage(
  uid: string,
  { key, picture }: AuthenticatorSetup,
  { holdsPasskey, problem }: { holdsPasskey: boolean; problem: string | null },
): string {
  return stepPage('Set up two-step verification', {
    lead: 'Your organisation requires two-step verification: a code from an authenticator app on your phone.',
    uid,
    body: `${renderProblem(problem)}
<ol>
<li>Scan this QR code with an authenticator app, such as Microsoft Authenticator or Google Authenticator.
<div class="picture" role="img" aria-label="QR code to scan">${picture}</div>
<details><summary>Cannot scan the QR code?</summary><p>Type this key into the app: <code>${escapeHtml(key)}</code></p></details></li>
<li>Then enter the code that the app shows.</li>
</ol>
${codeInput('Code', problem, 6)}
${holdsPasskey ? passkeyHint : ''}
<button type="submit">Continue</button>`,
  })
}

/** Shows the recovery codes, once. @param codes null if they were already shown */
export function renderRecoveryCodesPage(uid: string, codes: readonly string[] | null): string {
  const list = codes && `<ul class="codes">${codes.map((code) => `<li><code>${escapeHtml(code)}</code></li>`).join('')}</ul>`
  return stepPage('Recovery codes', {
    lead: 'Two-step verification is set up.',
    uid,
    body: `${
      list
        ? `<p>Print these codes or write them down. Each can be used once when you do not have your phone. They are shown only once.</p>${list}`
        : '<p>Your recovery codes have already been shown. If you do not have them, create new ones on your profile page.</p>'
    }
<button type="submit" name="goOn" value="1" autofocus>${list ? 'I have saved the codes' : 'Continue'}</button>`,
  })
}
