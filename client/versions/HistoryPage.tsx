import { BudgetHistory } from '../budget/history/BudgetHistory.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'

/** The history of the selected budget. */
export function HistoryPage() {
  return (
    <>
      <PageHead
        title="History"
        documentTitle="History - Overview"
        facts="Every change to this budget, newest first. It cannot be switched off."
      />
      <BudgetHistory />
    </>
  )
}
