import { Table } from '@mantine/core'
import { dataSubjectNames, type PersonalDataEntry, personalDataRegister } from '../../domain/people/personalData.ts'
import { keysOf } from '../../domain/values/keysOf.ts'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import stackStyles from '../ui/layout/Stack.module.css'

function About({ about }: { about: PersonalDataEntry['about'] }) {
  return (
    <Card>
      <CardHead>{dataSubjectNames[about]}</CardHead>
      <Table.ScrollContainer minWidth={760}>
        <Table verticalSpacing="sm" style={{ verticalAlign: 'top' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="30%">What</Table.Th>
              <Table.Th>Where</Table.Th>
              <Table.Th>Why</Table.Th>
              <Table.Th>For how long</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {personalDataRegister
              .filter((one) => one.about === about)
              .map(({ what, where, why, howLong }) => (
                <Table.Tr key={what}>
                  <Table.Th scope="row">{what}</Table.Th>
                  <Table.Td>{where}</Table.Td>
                  <Table.Td>{why}</Table.Td>
                  <Table.Td>{howLong}</Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  )
}

/** What personal data Bursar stores, where, why and for how long. */
export function WhatIsKeptPage() {
  return (
    <>
      <PageHead
        title="What is kept about people"
        facts="Backups hold what was kept when they were made. Files that somebody saved elsewhere are not in Bursar’s reach."
      />
      <div className={stackStyles.stack}>
        {keysOf(dataSubjectNames).map((about) => (
          <About key={about} about={about} />
        ))}
      </div>
    </>
  )
}
