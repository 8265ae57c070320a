/**
 * For the `ref` of the form of a dialog: one comes to type, so its first field gets the focus, where Mantine would give it to the button that
 * closes the dialog.
 */
export function focusFirstField(form: HTMLFormElement | null): void {
  if (!form || form.querySelector('[data-autofocus]')) return
  form.querySelector('input:enabled:not([type="hidden"]), textarea:enabled')?.setAttribute('data-autofocus', 'true')
}
