import { expect } from 'vitest'
import { DomainError } from '../../domain/words/errors.ts'

interface Refusal {
  code: string
  /** The sentence that people read. */
  message: string
  fields?: string[]
}

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

  isRefused({ code, message, fields }: Refusal): void {
    let refusal: unknown
    try {
      this.#decide()
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(DomainError)
    expect(refusal).toMatchObject({ code, message, ...(fields && { fields: fields.map((field) => expect.objectContaining({ field })) }) })
  }

  /** The events, to go on with. */
  get events(): Event[] {
    return this.#decide()
  }
}
