/** A `ref` for the form of a dialog that focuses its first field. Mantine would focus the close button. */
export function focusFirstField(form: HTMLFormElement | null): void {
  if (!form || form.querySelector('[data-autofocus]')) return
  form.querySelector('input:enabled:not([type="hidden"]), textarea:enabled')?.setAttribute('data-autofocus', 'true')
}
