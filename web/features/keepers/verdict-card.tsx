import { Link } from '@tanstack/react-router'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { Genotype } from '../../../contracts/plants.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { StandingBadge } from '../plants/standing-badge.tsx'
import { DecideButton } from './decide-button.tsx'

type VerdictCardProps = { hunt: Hunt; text: string; leader: Genotype | undefined; isClear: boolean }

/** What the ranking says, and what to do about it. */
export const VerdictCard = ({ hunt, text, leader, isClear }: VerdictCardProps) => (
  <Card className={cx(isClear && 'border-l-4 border-l-leaf')}>
    <CardBody className="grid gap-4">
      <p role="status" className="max-w-text font-display text-xl leading-snug">
        {text}
      </p>
      {leader && (
        <div className="flex flex-wrap items-center gap-2">
          {leader.standing && <StandingBadge standing={leader.standing} />}
          <DecideButton hunt={hunt} genotype={leader} variant={leader.standing ? 'secondary' : 'primary'} />
          <Link
            to="/pheno-hunt/$id/plants/$number"
            params={{ id: hunt.id, number: String(leader.number) }}
            className={buttonClass(leader.standing ? 'quiet' : 'secondary', 'lg')}
          >
            Open {leader.name}
          </Link>
        </div>
      )}
    </CardBody>
  </Card>
)
