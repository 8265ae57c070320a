import { expect } from 'vitest'
import { DomainError, type ErrorKind } from '../../../domain/words/errors.ts'

interface Refusal {
  /** As its code says, unless it is named: everything but what is invalid, not found or forbidden is a conflict. */
  kind?: ErrorKind
  code: string
  /** The sentence that people read. */
  message: string
  fields?: string[]
}

const kindOf = (code: string): ErrorKind => (code === 'invalid' || code === 'notFound' || code === 'forbidden' ? code : 'conflict')

/** What a decision came to: events or a refusal. */
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

  /** The events, to go on with. */
  get events(): Event[] {
    return this.#decide()
  }
}
