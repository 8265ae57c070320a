import { Input } from '@mantine/core'
import { Link, RichTextEditor } from '@mantine/tiptap'
import '@mantine/tiptap/styles.css'
import { useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { type ReactNode, useEffect } from 'react'

/**
 * A rich text editor: headings, lists, bold, italic and links. The server removes everything else (behaviour B-124).
 */
export function RichTextInput({
  label,
  value,
  onChange,
  error,
  disabled,
  required,
}: {
  label: string
  value: string | null
  onChange: (html: string | null) => void
  error?: ReactNode
  disabled?: boolean
  required?: boolean
}) {
  const editor = useEditor({
    extensions: [StarterKit.configure({ link: false }), Link],
    content: value ?? '',
    editable: !disabled,
    editorProps: { attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' } },
    onUpdate: ({ editor: changed }) => onChange(changed.isEmpty ? null : changed.getHTML()),
  })
  useEffect(() => {
    // Show a value that comes from outside, after a save or a discard.
    if (!editor || editor.isDestroyed) return
    if ((value ?? '') !== (editor.isEmpty ? '' : editor.getHTML())) editor.commands.setContent(value ?? '', { emitUpdate: false })
  }, [editor, value])
  return (
    <Input.Wrapper label={label} error={error} required={required} withAsterisk={required}>
      <RichTextEditor editor={editor} mt={2} styles={{ content: { minHeight: 150 } }}>
        <RichTextEditor.Toolbar>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.H2 />
            <RichTextEditor.H3 />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Bold />
            <RichTextEditor.Italic />
            <RichTextEditor.ClearFormatting />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.BulletList />
            <RichTextEditor.OrderedList />
            <RichTextEditor.Blockquote />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Link />
            <RichTextEditor.Unlink />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Undo />
            <RichTextEditor.Redo />
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
        <RichTextEditor.Content />
      </RichTextEditor>
    </Input.Wrapper>
  )
}
