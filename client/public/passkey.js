/*
 * The way in with a passkey on the sign-in page: by its button, and among what the browser offers in the field of the address. What the device
 * answers is sent as a form, as a password is.
 */

/** Milliseconds after which the server is asked anew: it takes an answer to its question for five minutes. */
const freshMs = 4 * 60_000

const form = document.getElementById('passkey')
const said = form.querySelector('[role=status]')
let waiting = new AbortController()
let isAsked = false
/** What the server asks the device for. */
let question

async function ask() {
  const reply = await fetch(`${form.action}/passkey`, { method: 'POST' })
  if (!reply.ok) throw new Error(String(reply.status))
  return PublicKeyCredential.parseRequestOptionsFromJSON(await reply.json())
}

function send(credential) {
  form.elements.passkey.value = JSON.stringify(credential.toJSON())
  form.submit()
}

/** Lets the browser offer passkeys in the field of the address, until another question takes the place of this one. */
async function offer() {
  waiting.abort()
  waiting = new AbortController()
  const { signal } = waiting
  question = ask()
  try {
    const credential = await navigator.credentials.get({ mediation: 'conditional', publicKey: await question, signal })
    if (credential && !signal.aborted) send(credential)
  } catch {
    // Nothing was chosen, or another question took its place: the page stays as it is.
  }
}

const canOffer = (await window.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false

form.querySelector('button').addEventListener('click', async () => {
  if (isAsked) return
  isAsked = true
  said.textContent = ''
  waiting.abort()
  try {
    // The question of a moment ago is taken, for some browsers ask the device only at once after a click.
    const options = await (canOffer ? question : ask()).catch(ask)
    send(await navigator.credentials.get({ publicKey: options }))
  } catch {
    said.textContent = 'No passkey was used. Try again, or sign in with your password.'
    if (canOffer) offer()
  }
  isAsked = false
})

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  form.hidden = false
  if (canOffer) {
    offer()
    setInterval(() => isAsked || offer(), freshMs)
  }
}
