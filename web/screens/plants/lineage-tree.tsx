import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Lineage, LineageLot, LineagePheno } from '#contracts/seed-lots.endpoints.ts'
import { elsewhereName } from '#web/entities/plants/plant-words.ts'
import { lineageOptions } from '#web/entities/plants/plants.api.ts'
import { StandingBadge } from '#web/entities/plants/standing-badge.tsx'
import { counted, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'

export type Parent = {
  role: 'Mother' | 'Father' | 'Selfed'
  name: string
  pheno: LineagePheno | null
  /** If true, this parent and its relatives are elsewhere in the tree. */
  isRepeated: boolean
  parents: Parent[]
}

export type Cross = {
  id: string
  /** "× #12 Lemon, F2" or "Selfed, S1". */
  name: string
  huntId: string
  huntName: string
  children: Child[]
  /** Number of phenotypes that the tree leaves out. */
  others: number
}
export type Child = { pheno: LineagePheno; isRepeated: boolean; crosses: Cross[] }

/** The first phenotype is the root. Each phenotype is expanded once, so cycles end. */
export function lineageTree({ phenos, lots }: Lineage): { parents: Parent[]; crosses: Cross[] } {
  const [root] = phenos
  if (!root) return { parents: [], crosses: [] }
  const byId = new Map(phenos.map((pheno) => [pheno.genotypeId, pheno]))
  const lotById = new Map(lots.map((lot) => [lot.id, lot]))
  const nameOf = (id: string | null, stated: string): string => {
    const pheno = id === null ? undefined : byId.get(id)
    return pheno ? elsewhereName(pheno) : stated || 'Unknown'
  }
  const up = new Set([root.genotypeId])
  function parentsOf({ lotId }: LineagePheno): Parent[] {
    const lot = lotId === null ? undefined : lotById.get(lotId)
    if (!lot) return []
    const parent = (role: Parent['role'], id: string | null, stated: string): Parent => {
      const pheno = (id !== null && byId.get(id)) || null
      const isRepeated = pheno !== null && up.has(pheno.genotypeId)
      if (pheno) up.add(pheno.genotypeId)
      return {
        role,
        name: pheno ? elsewhereName(pheno) : stated || 'Unknown',
        pheno,
        isRepeated,
        parents: pheno && !isRepeated ? parentsOf(pheno) : [],
      }
    }
    if (lot.isSelfed) return [parent('Selfed', lot.motherId, lot.mother)]
    return [parent('Mother', lot.motherId, lot.mother), parent('Father', lot.fatherId, lot.father)]
  }
  const down = new Set([root.genotypeId])
  const byLot = Map.groupBy(phenos, ({ lotId }) => lotId)
  function crossesOf({ genotypeId }: LineagePheno): Cross[] {
    return lots
      .filter(({ motherId, fatherId }) => motherId === genotypeId || fatherId === genotypeId)
      .map((lot) => {
        const grown = byLot.get(lot.id) ?? []
        const children = grown.map((pheno): Child => {
          const isRepeated = down.has(pheno.genotypeId)
          down.add(pheno.genotypeId)
          return { pheno, isRepeated, crosses: isRepeated ? [] : crossesOf(pheno) }
        })
        const { id, huntId, huntName, phenoCount } = lot
        return { id, name: crossName(lot, genotypeId, nameOf), huntId, huntName, children, others: Math.max(0, phenoCount - grown.length) }
      })
  }
  return { parents: parentsOf(root), crosses: crossesOf(root) }
}

function crossName(lot: LineageLot, genotypeId: string, nameOf: (id: string | null, stated: string) => string): string {
  const isMother = lot.motherId === genotypeId
  const mate = isMother ? nameOf(lot.fatherId, lot.father) : nameOf(lot.motherId, lot.mother)
  const cross = lot.isSelfed || (isMother && lot.fatherId === genotypeId) ? 'Selfed' : `× ${mate}`
  return lot.generation === '' ? cross : `${cross}, ${lot.generation}`
}

export function LineageTree({ genotypeId, huntId }: { genotypeId: string; huntId: string }) {
  const { data, error, refetch, isFetching } = useQuery(lineageOptions(genotypeId))
  return (
    <section aria-labelledby="lineage" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="lineage" className="text-xl">
        Lineage
      </h2>
      {data ? (
        <Tree lineage={data} huntId={huntId} />
      ) : error ? (
        <LoadError level={3} title="The lineage couldn’t be loaded" query={{ error, refetch, isFetching }} />
      ) : (
        <SkeletonGroup label="Loading the lineage...">
          <SkeletonText lines={3} />
        </SkeletonGroup>
      )}
    </section>
  )
}

function Tree({ lineage, huntId }: { lineage: Lineage; huntId: string }) {
  const { parents, crosses } = lineageTree(lineage)
  if (parents.length + crosses.length === 0) {
    return (
      <p className="text-muted">
        No parents or offspring yet. To record them, add seed lots under{' '}
        <Link to="/pheno-hunt/$id" params={{ id: huntId }} search={{ section: 'lineage' }} className={textLink}>
          Lineage
        </Link>
        .
      </p>
    )
  }
  return (
    <Card>
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {parents.length > 0 && (
          <div className="grid gap-1">
            <h3 className="font-semibold">Ancestors</h3>
            <Parents parents={parents} huntId={huntId} />
          </div>
        )}
        {crosses.length > 0 && (
          <div className="grid gap-1">
            <h3 className="font-semibold">Offspring</h3>
            <Crosses crosses={crosses} huntId={huntId} />
          </div>
        )}
        {!lineage.isComplete && (
          <p className="text-muted text-sm">Some relatives aren’t shown. Open a relative above to see its own lineage.</p>
        )}
      </CardBody>
    </Card>
  )
}

const branch = 'grid grid-cols-[minmax(0,1fr)] border-line border-l pl-3'
const row = 'flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 py-1'

function Parents({ parents, huntId }: { parents: Parent[]; huntId: string }) {
  return (
    <ul className={branch}>
      {parents.map(({ role, name, pheno, isRepeated, parents: before }) => (
        <li key={role}>
          <p className={row}>
            <span className="text-muted text-sm">{role === 'Selfed' ? 'Selfed from' : role}</span>
            {pheno ? <PhenoName pheno={pheno} huntId={huntId} isRepeated={isRepeated} /> : <span className="wrap-anywhere">{name}</span>}
          </p>
          {before.length > 0 && <Parents parents={before} huntId={huntId} />}
        </li>
      ))}
    </ul>
  )
}

function Crosses({ crosses, huntId }: { crosses: Cross[]; huntId: string }) {
  return (
    <ul className={branch}>
      {crosses.map((cross) => (
        <li key={cross.id}>
          <p className={row}>
            <span className="wrap-anywhere">{cross.name}</span>
            {cross.huntId !== huntId && <span className="text-muted text-sm wrap-anywhere">{cross.huntName}</span>}
            {cross.children.length === 0 && <span className="text-muted text-sm">{counted(cross.others, 'pheno')}, none kept</span>}
          </p>
          {cross.children.length > 0 && (
            <ul className={branch}>
              {cross.children.map(({ pheno, isRepeated, crosses: next }) => (
                <li key={pheno.genotypeId}>
                  <p className={row}>
                    <PhenoName pheno={pheno} huntId={cross.huntId} isRepeated={isRepeated} />
                  </p>
                  {next.length > 0 && <Crosses crosses={next} huntId={cross.huntId} />}
                </li>
              ))}
              {cross.others > 0 && <li className="py-2 text-muted text-sm">and {formatNumber(cross.others)} more</li>}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Shows the name of the phenotype's hunt, unless that is `huntId`, which the page or the row above already names. */
function PhenoName({ pheno, huntId, isRepeated }: { pheno: LineagePheno; huntId: string; isRepeated: boolean }) {
  const isKept = pheno.standing === 'keep' || pheno.standing === 'breed'
  return (
    <>
      <Link
        to="/pheno-hunt/$id/plants/$number"
        params={{ id: pheno.huntId, number: String(pheno.number) }}
        className={`${textLink} inline-flex min-h-11 items-center font-semibold wrap-anywhere`}
      >
        {elsewhereName(pheno)}
      </Link>
      {pheno.huntId !== huntId && <span className="text-muted text-sm wrap-anywhere">{pheno.huntName}</span>}
      {isKept && pheno.standing && <StandingBadge standing={pheno.standing} />}
      {pheno.isMother && <Badge variant="outline">Mother</Badge>}
      {isKept && pheno.livingCopies === 0 && <Badge variant="clay">Lost</Badge>}
      {isRepeated && <span className="text-muted text-sm">shown above</span>}
    </>
  )
}
