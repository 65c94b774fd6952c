import { Link } from '@tanstack/react-router'
import { Flag, Hourglass } from 'lucide-react'
import type { ModerationCaseDetail } from '../../../contracts/moderation.ts'
import { Ago } from '../../ui/ago.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { reasonTitle } from '../reports/report-words.ts'

type CaseReportsProps = Pick<ModerationCaseDetail, 'reports' | 'findings'>

/** Why it is here: what people said about it, and which rules held or flagged it. */
export function CaseReports({ reports, findings }: CaseReportsProps) {
  return (
    <Card asChild>
      <section aria-label="Why it is here">
        <CardBody className="grid gap-5">
          {findings.length > 0 && (
            <div>
              <h4 className="mb-2.5 flex items-center gap-2 font-semibold">
                <Hourglass aria-hidden="true" className="size-4 text-muted" />
                {findings.every(({ path }) => path) ? 'Flagged by' : 'Held by'}{' '}
                {findings.length === 1 ? 'a rule' : `${findings.length} rules`}
              </h4>
              <ul className="grid gap-2">
                {findings.map(({ rule, says, path }) => (
                  <li key={`${rule} ${path}`} className="border-line border-l-2 pl-3.5">
                    {says && <p>{says}</p>}
                    {path && (
                      <p>
                        <a href={path} target="_blank" rel="noreferrer" className={textLink}>
                          Open the listing<span className="sr-only"> in a new tab</span>
                        </a>
                      </p>
                    )}
                    <p className="text-muted text-xs">Rule {rule}</p>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {reports.length > 0 && (
            <div>
              <h4 className="mb-2.5 flex items-center gap-2 font-semibold">
                <Flag aria-hidden="true" className="size-4 text-muted" />
                {reports.length === 1 ? '1 report' : `${reports.length} reports`}
              </h4>
              <ul className="grid gap-3">
                {reports.map(({ id, reason, details, createdAt, reporter }) => (
                  <li key={id} className="border-line border-l-2 pl-3.5">
                    <p className="text-sm">
                      <span className="font-medium">{reasonTitle(reason)}</span>
                      <span className="text-muted">
                        {' · '}
                        {reporter && (
                          <>
                            <Link to="/people/$id" params={{ id: reporter.id }} target="_blank" className={textLink}>
                              {reporter.name}
                            </Link>
                            {' · '}
                          </>
                        )}
                        <Ago at={createdAt} />
                      </span>
                    </p>
                    {details !== '' && <p className="mt-1 max-w-text whitespace-pre-line wrap-anywhere">{details}</p>}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </CardBody>
      </section>
    </Card>
  )
}
