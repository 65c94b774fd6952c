import { Button } from '../../ui/button.tsx'
import { useBlockBusiness } from '../businesses/use-block-business.ts'
import { useBlockPerson } from '../people/use-block-person.ts'
import type { ReportedWriter } from './reported-writer.ts'

type BlockOfferProps = { writer: ReportedWriter; onBlocked: () => void }

/** For whoever does not want to meet them while moderators look at a report, or ever. */
export function BlockOffer(props: BlockOfferProps) {
  return props.writer.kind === 'person' ? <PersonOffer {...props} /> : <BusinessOffer {...props} />
}

function PersonOffer({ writer, onBlocked }: BlockOfferProps) {
  const { setBlocked } = useBlockPerson(writer)
  return (
    <Offer
      name={writer.name}
      onBlock={() => {
        onBlocked()
        setBlocked(true)
      }}
    >
      Neither of you sees the other any more, and you no longer follow each other. Nobody is told.
    </Offer>
  )
}

function BusinessOffer({ writer, onBlocked }: BlockOfferProps) {
  const { setBlocked } = useBlockBusiness(writer)
  return (
    <Offer
      name={writer.name}
      onBlock={() => {
        onBlocked()
        setBlocked(true)
      }}
    >
      You see none of its posts, and you no longer follow it; a subscription ends. Its page stays in the directory.
    </Offer>
  )
}

type OfferProps = { name: string; onBlock: () => void; children: string }

const Offer = ({ name, onBlock, children }: OfferProps) => (
  <section aria-label={`Block ${name}`} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-input bg-sunk p-4">
    <div className="min-w-0 flex-1 basis-64">
      <p className="font-medium wrap-anywhere">Would you rather not meet {name} again?</p>
      <p className="mt-0.5 text-muted text-sm">{children}</p>
    </div>
    <Button variant="secondary" onClick={onBlock}>
      Block {name}
    </Button>
  </section>
)
