import { TextInput } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { EditorHeader } from '../resources/editor/EditorHead.tsx'
import { useEditor } from '../resources/editor/useEditor.ts'
import { api, toPublicError, trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import { Card, CardBody } from '../ui/layout/Card.tsx'
import { Spinner } from '../ui/Spinner.tsx'

type Centre = Awaited<ReturnType<typeof api.codes.centre.query>>
const list = '/overview/coding?of=cost-centres'
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function Editor({ loaded }: { loaded: Centre }) {
  const term = useTerm()('CostCentre')
  const { mutateAsync: update } = trpc.codes.updateCentre.useMutation()
  const editor = useEditor({
    term,
    loaded,
    valuesOf: ({ altDescription }) => ({ altDescription: text(altDescription) }),
    blank: { altDescription: '' },
    labels: { altDescription: 'Alternative description' },
    check: ({ altDescription }) => ({ input: altDescription.trim() || null, problems: [] }),
    save: (altDescription) => update({ id: loaded.id, altDescription }),
    reload: ({ id }) => api.codes.centre.query({ id }),
    createUndo: ({ id }, before) => before && (() => update({ id, altDescription: text(before.altDescription) || null })),
    list,
  })
  return (
    <>
      <EditorHeader
        editor={editor}
        title={`${text(loaded.code)} ${text(loaded.description)}`}
        documentTitle={`Edit - ${term.singular} - Overview`}
        facts={<Link to={list}>Coding</Link>}
      />
      <Card style={{ maxWidth: 620 }}>
        <CardBody data-field="altDescription">
          <TextInput
            label="Alternative description"
            description="The description shown at this location. Leave empty to use the organisation’s."
            placeholder={text(loaded.description)}
            maxLength={200}
            value={editor.values.altDescription}
            onChange={(event) => editor.set({ altDescription: event.currentTarget.value })}
            error={editor.error('altDescription')}
            data-autofocus
          />
        </CardBody>
      </Card>
    </>
  )
}

/** Edits the location's own description of a cost centre, which is the only field that can be edited here (behaviour B-163). */
export function CostCentrePage() {
  const { id = '' } = useParams()
  const isId = /^\d{1,9}$/.test(id)
  const query = trpc.codes.centre.useQuery({ id: Number(id) }, { enabled: isId, gcTime: 0, staleTime: Number.POSITIVE_INFINITY })
  if (!isId || (query.isError && toPublicError(query.error).kind === 'notFound'))
    return <NotFound back={{ to: list, label: 'Back to the list' }} />
  if (query.isLoadingError) return <LoadFailed query={query} />
  return query.data ? <Editor key={id} loaded={query.data} /> : <Spinner />
}
