import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import type { InsightStep } from '../../../contracts/insights.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { type InsightRange, insightRanges } from '../dashboard/dashboard-search.ts'
import { fileAddress } from './insights.api.ts'
import { ranges, usualRange } from './periods.ts'

const stepNames: Record<InsightStep, string> = { day: 'By day', week: 'By week', month: 'By month' }

/** Which period, in which steps: both are in the page's address. */
export function PeriodBar({ business, range, by }: { business: MyBusiness; range: InsightRange; by: InsightStep }) {
  const navigate = useNavigate({ from: '/business-dashboard' })
  const show = (change: { range?: InsightRange | undefined; by?: InsightStep | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true, resetScroll: false })
  const { days, steps } = ranges[range]
  return (
    <div className="flex items-center gap-2 max-sm:w-full max-sm:[&>span]:min-w-0 max-sm:[&>span]:flex-1 max-sm:[&>span:first-child]:flex-[1.4]">
      <Select
        aria-label="Period"
        value={range}
        className="min-h-9! py-1 text-sm"
        onChange={({ target }) => show({ range: target.value === usualRange ? undefined : (target.value as InsightRange), by: undefined })}
      >
        {insightRanges.map((each) => (
          <option key={each} value={each}>
            Last {ranges[each].label}
          </option>
        ))}
      </Select>
      {steps.length > 1 && (
        <Select
          aria-label="Steps"
          value={by}
          className="min-h-9! py-1 text-sm"
          onChange={({ target }) => show({ by: target.value === steps[0] ? undefined : (target.value as InsightStep) })}
        >
          {steps.map((step) => (
            <option key={step} value={step}>
              {stepNames[step]}
            </option>
          ))}
        </Select>
      )}
      <Button asChild variant="secondary" size="sm" className="min-h-9 max-sm:[&_svg]:hidden">
        <a href={fileAddress(business.slug, { days, by })} download>
          <Download aria-hidden="true" />
          CSV
        </a>
      </Button>
    </div>
  )
}
