/** The closest element that matches, starting with the event's target. */
export function findClosestElement<E extends HTMLElement = HTMLElement>(target: EventTarget | null, selector: string): E | null {
  return target instanceof Element ? target.closest<E>(selector) : null
}
