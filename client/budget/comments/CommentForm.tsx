import { Button, Combobox, Textarea, useCombobox } from '@mantine/core'
import clsx from 'clsx'
import { type ReactNode, useRef, useState } from 'react'
import { notices } from '../../../domain/words/notices.ts'
import { toPublicError } from '../../shell/api.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import cardStyles from '../../ui/layout/Card.module.css'
import stackStyles from '../../ui/layout/Stack.module.css'

/** Matches the name that the user is typing after an @, immediately before the cursor. */
const mentionPattern = /(?:^|\s)@([\p{L}'’ -]{0,40})$/u
const maximumSuggestions = 6

/**
 * A form for a comment. Typing @ suggests the people who can read it.
 * @param children shown above the text
 */
export function CommentForm({
  people,
  send,
  children,
}: {
  people: readonly { id: number; name: string }[]
  send: (comment: { text: string; mentionIds: number[] }) => Promise<unknown>
  children?: ReactNode
}) {
  const [text, setText] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const combobox = useCombobox()
  const [problem, setProblem] = useState<string | undefined>()
  const [isSaying, setSaying] = useState(false)
  useUnsavedChanges(text.trim() !== '')
  const offered =
    typed === null ? [] : people.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase())).slice(0, maximumSuggestions)
  const follow = (value: string, at: number): void => {
    setText(value)
    const name = mentionPattern.exec(value.slice(0, at))?.[1] ?? null
    setTyped(name)
    if (name === null) combobox.closeDropdown()
    else {
      combobox.openDropdown()
      combobox.selectFirstOption()
    }
  }
  const choose = (name: string): void => {
    const at = area.current?.selectionStart ?? text.length
    const before = text.slice(0, at).replace(/@[^@]*$/, `@${name} `)
    setText(before + text.slice(at))
    setTyped(null)
    combobox.closeDropdown()
    area.current?.focus()
  }
  const submit = async (): Promise<void> => {
    setSaying(true)
    setProblem(undefined)
    // The comment appears in the list at once. If the server refuses it, its text returns to the box, before any text typed since.
    setText('')
    try {
      await send({ text, mentionIds: people.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id) })
      notifySuccess(notices.saved)
    } catch (error) {
      setText((typedSince) => [text, typedSince].filter(Boolean).join('\n'))
      setProblem(toPublicError(error).fields[0]?.message)
      notifyFailure(error)
    }
    setSaying(false)
  }
  return (
    <form
      noValidate
      className={clsx(cardStyles.cardBody, stackStyles.stack)}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {children}
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal>
        <Combobox.Target>
          <Textarea
            ref={area}
            label="Comment"
            description="Type @ and a name to mention someone."
            value={text}
            onChange={({ currentTarget }) => follow(currentTarget.value, currentTarget.selectionStart)}
            onBlur={() => combobox.closeDropdown()}
            autosize
            minRows={2}
            maxLength={2000}
            error={problem}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!offered.length}>
          <Combobox.Options aria-label="People you can mention">
            {offered.map(({ id, name }) => (
              <Combobox.Option key={id} value={name}>
                {name}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <div>
        <Button type="submit" variant="default" loading={isSaying}>
          Add comment
        </Button>
      </div>
    </form>
  )
}
