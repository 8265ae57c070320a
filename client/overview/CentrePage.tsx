import { Button, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { notices } from '../../domain/notices.ts'
import { api, problemOf, queries } from '../api/api.ts'
import { failed, said } from '../api/notify.tsx'
import { NotFound } from '../shell/Guard.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { Spinner } from '../shell/Shell.tsx'
import { useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { useUnsaved } from '../state/unsaved.ts'

type Centre = Awaited<ReturnType<typeof api.codes.centre.query>>
const list = '/overview/coding?of=cost-centres'
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function Editor({ centre }: { centre: Centre }) {
  const term = useTerm()('CostCentre')
  const [saved, setSaved] = useState(text(centre.altDescription))
  const [typed, setTyped] = useState(saved)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useUnsaved(typed !== saved)
  const save = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      const kept = await api.codes.updateCentre.mutate({ id: centre.id, altDescription: typed.trim() || null })
      setSaved(text(kept.altDescription))
      setTyped(text(kept.altDescription))
      said(notices.updated(term.singular))
      void queries.invalidateQueries({ queryKey: ['coding'] })
    } catch (error) {
      setProblem(problemOf(error).fields[0]?.message ?? null)
      failed(error)
    } finally {
      setBusy(false)
    }
  }
  useHotkeys([['mod+S', () => void save()]], [])
  return (
    <>
      <PageHead
        title={`${text(centre.code)} ${text(centre.description)}`}
        documentTitle={`Edit - ${term.singular} - Overview`}
        pills={typed !== saved && <span className="pill warn">Unsaved</span>}
        facts={<Link to={list}>Coding</Link>}
      >
        <Button onClick={() => void save()} loading={busy} rightSection={<span className="hint">Ctrl S</span>}>
          Save
        </Button>
      </PageHead>
      <section className="card" style={{ maxWidth: 620 }}>
        <div className="card-body" data-field="altDescription">
          <TextInput
            label="Alternative description"
            description="What this location calls it, on its screens; empty: the description of the organisation."
            placeholder={text(centre.description)}
            maxLength={200}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={problem}
            data-autofocus
          />
        </div>
      </section>
    </>
  )
}

/** The alternative description of a cost centre, and nothing else of it (behaviour B-163). */
export function CentrePage() {
  const { id = '' } = useParams()
  const { locationId } = useSelection()
  const isId = /^\d{1,9}$/.test(id)
  const query = useQuery({
    queryKey: ['coding', 'centre', locationId, id],
    queryFn: () => api.codes.centre.query({ id: Number(id) }),
    enabled: isId,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isId || (query.isError && problemOf(query.error).kind === 'notFound'))
    return <NotFound back={{ to: list, label: 'Back to the list' }} />
  if (query.isError) return <LoadFailed query={query} />
  return query.data ? <Editor key={id} centre={query.data} /> : <Spinner />
}
