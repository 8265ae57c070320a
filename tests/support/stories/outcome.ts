import { expect } from 'vitest'
import { DomainError, type ErrorKind } from '../../../domain/words/errors.ts'

interface Refusal {
  /** By default the kind that belongs to the code: `conflict`, except for invalid, notFound and forbidden. */
  kind?: ErrorKind
  code: string
  /** The message that users read. */
  message: string
  fields?: string[]
}

const kindOf = (code: string): ErrorKind => (code === 'invalid' || code === 'notFound' || code === 'forbidden' ? code : 'conflict')

/** The result of a command: events or a refusal. */
export class Outcome<Event> {
  readonly #decide: () => Event[]

  constructor(decide: () => Event[]) {
    this.#decide = decide
  }

  gives(...events: Event[]): void {
    expect(this.#decide()).toEqual(events)
  }

  changesNothing(): void {
    expect(this.#decide()).toEqual([])
  }

  isRefused({ code, kind = kindOf(code), message, fields }: Refusal): void {
    let refusal: unknown
    try {
      this.#decide()
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(DomainError)
    expect(refusal).toMatchObject({
      kind,
      code,
      message,
      ...(fields && { fields: fields.map((field) => expect.objectContaining({ field })) }),
    })
  }

  /** The events, for the next step of a story. */
  get events(): Event[] {
    return this.#decide()
  }
}
