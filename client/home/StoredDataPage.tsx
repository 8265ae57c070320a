import { dataSubjectNames, type PersonalDataEntry, personalDataRegister } from '../../domain/people/personalData.ts'
import { keysOf } from '../../domain/values/keysOf.ts'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import stackStyles from '../ui/layout/Stack.module.css'
import type { TableColumn } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'

const columns: TableColumn<PersonalDataEntry>[] = [
  { id: 'what', label: 'What', headProps: { style: { width: '30%' } } },
  { id: 'where', label: 'Where' },
  { id: 'why', label: 'Why' },
  { id: 'howLong', label: 'For how long' },
]

function About({ about }: { about: PersonalDataEntry['about'] }) {
  return (
    <Card>
      <CardHead>{dataSubjectNames[about]}</CardHead>
      <DataTable isWrapped minWidth={760} columns={columns} rows={personalDataRegister.filter((one) => one.about === about)} />
    </Card>
  )
}

/** What personal data Bursar stores, where, why and for how long. */
export function StoredDataPage() {
  return (
    <>
      <PageHead
        title="Personal data we keep"
        facts="Backups hold the data that existed when they were made. Bursar cannot delete files that people have saved elsewhere."
      />
      <div className={stackStyles.stack}>
        {keysOf(dataSubjectNames).map((about) => (
          <About key={about} about={about} />
        ))}
      </div>
    </>
  )
}
