import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Health, Waiting } from '#contracts/admin.endpoints.ts'
import { paymentProviderNames, paymentProviders } from '#contracts/payment-providers.ts'
import { boot } from '#web/lib/boot.ts'
import { counted, numberFormat } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { healthOptions, waitingOptions } from './admin.api.ts'
import type { AdminTab, PanelProps } from './admin-search.ts'

export function OverviewPanel({ isAdmin }: PanelProps) {
  return (
    <div className="grid gap-10">
      <WaitingCounts />
      {isAdmin && <SystemHealth />}
    </div>
  )
}

function WaitingCounts() {
  const query = useQuery(waitingOptions)
  return (
    <section aria-labelledby="waiting">
      <h3 id="waiting" className="mb-3 text-lg">
        Pending decisions
      </h3>
      <Loaded
        query={query}
        loadingLabel="Loading pending decisions..."
        skeleton={<Skeleton className="h-28 rounded-card" />}
        failure="The pending decisions couldn’t be loaded"
      >
        {(waiting) => <Counts waiting={waiting} />}
      </Loaded>
    </section>
  )
}

const Counts = ({ waiting }: { waiting: Waiting }) => (
  <ul className="grid gap-3 grid-cols-2 md:grid-cols-5">
    <WaitingCount tab="reports" name="Cases" count={waiting.cases}>
      {waiting.overdue > 0 && <span className="text-clay">{waiting.overdue} over 48 hours</span>}
    </WaitingCount>
    <WaitingCount tab="appeals" name="Appeals" count={waiting.appeals} />
    <WaitingCount tab="claims" name="Claims" count={waiting.claims} />
    <WaitingCount tab="licenses" name="Licenses" count={waiting.licenses} />
    <WaitingCount tab="corrections" name="Suggested changes" count={waiting.corrections} />
  </ul>
)

function WaitingCount({ tab, name, count, children }: { tab: AdminTab; name: string; count: number; children?: ReactNode }) {
  return (
    <li>
      <Card interactive className="h-full">
        <CardBody>
          <Link to="/admin" search={{ tab }} className={cx(cardLink, 'text-muted text-sm')}>
            {name}
          </Link>
          <p className="mt-1 font-display text-3xl tabular-nums">{count}</p>
          {children && <p className="text-sm">{children}</p>}
        </CardBody>
      </Card>
    </li>
  )
}

function SystemHealth() {
  const query = useQuery(healthOptions)
  return (
    <section aria-labelledby="system">
      <h3 id="system" className="mb-3 text-lg">
        System
      </h3>
      <Loaded
        query={query}
        loadingLabel="Loading system status..."
        skeleton={<Skeleton className="h-64 rounded-card" />}
        failure="The system status couldn’t be loaded"
      >
        {(health) => <HealthCards health={health} />}
      </Loaded>
      {!boot.map.tileUrl && !boot.map.pmtilesUrl && (
        <p className="mt-4 text-muted text-sm">
          The map doesn’t show streets yet. To add a state’s streets, run <code>npm run map:streets -- --state CO --from FILE</code>
        </p>
      )}
    </section>
  )
}

const number = numberFormat({})

function HealthCards({ health }: { health: Health }) {
  const { database, jobs, media, counts, lastLicenseImport } = health
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <HealthCard title="Server">
        <Fact name="Version">{health.version}</Fact>
        <Fact name="Started">
          <Ago at={health.startedAt} />
        </Fact>
        <Fact name="Memory">{bytes(health.memoryBytes)}</Fact>
        <Fact name="Node">{health.node}</Fact>
        <Fact name="Mail">{health.mail === 'smtp' ? 'Over SMTP' : <Warning>Written to the outbox folder, not sent</Warning>}</Fact>
        <Fact name="Payments">
          {paymentProviderNames.flatMap((name) => (health.payments.includes(name) ? paymentProviders[name].label : [])).join(', ') ||
            'None'}
        </Fact>
      </HealthCard>
      <HealthCard title="Database">
        <Fact name="PostgreSQL">{database.version}</Fact>
        <Fact name="Size">{bytes(database.bytes)}</Fact>
        <Fact name="Connections">
          {database.connections} of {database.maxConnections}
        </Fact>
        <Fact name="Migrations">{number.format(database.migrations)}</Fact>
        <Fact name="Newest">{database.lastMigration}</Fact>
      </HealthCard>
      <HealthCard title="Jobs">
        <Fact name="Waiting">
          {number.format(jobs.waiting)}
          {jobs.oldestWaitingAt && (
            <>
              , oldest queued <Ago at={jobs.oldestWaitingAt} />
            </>
          )}
        </Fact>
        <Fact name="Running">{number.format(jobs.running)}</Fact>
        <Fact name="Failed">
          {jobs.failed === 0 ? (
            'None'
          ) : (
            <Link to="/admin" search={{ tab: 'jobs' }} className={textLink}>
              {number.format(jobs.failed)}
            </Link>
          )}
        </Fact>
      </HealthCard>
      <HealthCard title="Files">
        <Fact name="Stored">{media.storage === 's3' ? 'In S3 storage' : 'In the data folder'}</Fact>
        <Fact name="Uploaded">
          {number.format(media.files)}, {bytes(media.bytes)}
        </Fact>
        <Fact name="Unfinished">{number.format(media.unfinished)}</Fact>
        <Fact name="Failed">{number.format(media.failed)}</Fact>
      </HealthCard>
      <HealthCard title="License register">
        {lastLicenseImport ? (
          <>
            <Fact name="Last import">
              <Ago at={lastLicenseImport.startedAt} />
              {lastLicenseImport.finishedAt === null && ', not finished'}
            </Fact>
            <Fact name="From">{lastLicenseImport.source}</Fact>
            <Fact name="Rows">
              {number.format(lastLicenseImport.rowsRead)}
              {lastLicenseImport.rowsRefused > 0 && `, ${number.format(lastLicenseImport.rowsRefused)} rejected`}
            </Fact>
          </>
        ) : (
          <Fact name="Last import">Never</Fact>
        )}
      </HealthCard>
      <HealthCard title="Totals">
        <Fact name="People">{number.format(counts.people)}</Fact>
        <Fact name="Businesses">{number.format(counts.businesses)}</Fact>
        <Fact name="Communities">{number.format(counts.communities)}, not counting private ones</Fact>
        <Fact name="Signed in">{counted(counts.sessions, 'session')}</Fact>
      </HealthCard>
    </div>
  )
}

const HealthCard = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card>
    <CardBody>
      <h4 className="mb-3 font-medium">{title}</h4>
      <Facts>{children}</Facts>
    </CardBody>
  </Card>
)

const Warning = ({ children }: { children: ReactNode }) => <span className="text-clay">{children}</span>

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
const oneDigit = numberFormat({ maximumFractionDigits: 1 })

/** 1536 → "1.5 KB": a KB has 1024 bytes here. */
export function bytes(count: number): string {
  const power = count < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(count) / Math.log(1024)))
  return `${oneDigit.format(count / 1024 ** power)} ${count === 1 ? 'byte' : units[power]}`
}
