/** The nearest element around what an event happened to, itself included. */
export function around<E extends HTMLElement = HTMLElement>(target: EventTarget | null, selector: string): E | null {
  return target instanceof Element ? target.closest<E>(selector) : null
}
