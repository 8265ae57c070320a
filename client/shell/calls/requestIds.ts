/** This page as it was opened in this tab; another tab of the same person is another. */
const page = crypto.randomUUID()

/** By which a call is found in the server's log. */
export function ownRequestId(): string {
  return `${page}_${crypto.randomUUID()}`
}

/** Whether a call was made by this page. */
export function isOwnRequest(requestId: string | undefined): boolean {
  return requestId?.startsWith(page) ?? false
}
