import { aboutRules, allRules, type Rule, type RuleTopic } from '#compliance/rules.ts'
import { Source } from '#web/entities/compliance/source.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { PageLink, PublicPage } from './public-page.tsx'

const topicNames: Record<RuleTopic, string> = {
  age_notice: 'Age notice',
  health: 'Health claims',
  giveaway: 'Giveaways',
  license_number: 'License number',
  minors: 'Appeal to minors',
  sale: 'Sale without a license',
}

const demands: Record<Rule['demand'], string> = { banned: 'Not allowed', required: 'Required', allowed: 'Allowed' }

const names = [...new Set(allRules.map(({ jurisdiction }) => jurisdiction))]
const rest = 'Everywhere else'
const ordered = [...names.filter((name) => name !== rest).sort((a, b) => a.localeCompare(b, 'en-US')), rest]

const idOf = (jurisdiction: string) => jurisdiction.toLowerCase().replaceAll(' ', '-')

export function RulesPage() {
  return (
    <PublicPage
      title="Rules for advertising, by place"
      lead={
        <>
          Our filters check what a business writes against these rules. People must follow our{' '}
          <PageLink to="/guidelines">community guidelines</PageLink> everywhere.
        </>
      }
      sections={[
        { id: 'about', title: 'About this table', body: <p>{aboutRules}</p> },
        ...ordered.map((jurisdiction) => ({ id: idOf(jurisdiction), title: jurisdiction, body: <RuleList jurisdiction={jurisdiction} /> })),
      ]}
    />
  )
}

function RuleList({ jurisdiction }: { jurisdiction: string }) {
  const rules = allRules.filter((rule) => rule.jurisdiction === jurisdiction)
  return (
    <dl className="grid gap-4">
      {rules.map((rule) => (
        <div key={rule.topic} className="border-line border-t pt-3.5">
          <dt className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
            {topicNames[rule.topic]}
            <Badge variant={rule.demand === 'banned' ? 'clay' : 'outline'}>{demands[rule.demand]}</Badge>
          </dt>
          <dd className="mt-1">{rule.says}</dd>
          <dd className="mt-1 text-muted text-sm">
            <Source rule={rule} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
