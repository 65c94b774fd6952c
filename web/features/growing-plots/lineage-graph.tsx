import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../../ui/cx.ts'
import { lineagePicture } from './lineage-picture.ts'
import {
  foldOf,
  type LineageEdge,
  type LineageItem,
  type LineageNode,
  layOutLineage,
  lineageItems,
  outlineLineage,
  relativesOf,
} from './lineage-view.ts'
import { itemName, itemNote, lineageColumns } from './lineage-words.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'

type LineageGraphProps = PlotProps & {
  /** Parents before their descendants; siblings in the order in which they are to stand. */
  nodes: readonly LineageNode[]
  onNode?: ((node: LineageNode) => void) | undefined
}

/** Mother and father, seed lots, genotypes and their clones, from left to right. */
export function LineageGraph({ nodes, onNode, ...frame }: LineageGraphProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [held, setHeld] = useState<string | null>(null)
  const [width, setWidth] = useState<number | null>(null)
  const room = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = room.current
    if (!element) return
    const resizes = new ResizeObserver(() => setWidth(element.clientWidth))
    resizes.observe(element)
    return () => resizes.disconnect()
  }, [])
  const items = lineageItems(nodes, open)
  const isOutline = width !== null && width < 600
  const layout = isOutline ? outlineLineage(items, width - 8) : layOutLineage(items)
  const relatives = held === null ? null : relativesOf(held, layout.edges)
  const toggle = (fold: string) => {
    const next = new Set(open)
    if (!next.delete(fold)) next.add(fold)
    setOpen(next)
  }
  const press = (item: LineageItem) => {
    if (item.folded) toggle(foldOf(item.folded.parent, item.folded.kind))
    else onNode?.(item.node)
  }
  return (
    <PlotFrame
      {...frame}
      title="Lineage"
      help="From the parents over the seed lot to genotypes and clones. A dashed frame is a plant that is gone; many siblings are folded into one."
      use="Press it to unfold them."
      table={{ columns: lineageColumns(nodes), rows: nodes }}
      picture={() => lineagePicture(layOutLineage(items))}
      empty={{ title: 'No lineage yet', description: 'Name the cross and its seed lot, and the descent of each plant appears here.' }}
      height={360}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section ref={room} aria-label="Lineage, drawn" tabIndex={0} className="max-h-[36rem] overflow-auto rounded-tag p-1">
        <div className="relative" style={{ width: layout.width, height: layout.height }}>
          <svg aria-hidden="true" className="absolute inset-0 overflow-visible" width={layout.width} height={layout.height}>
            {layout.edges.map((edge) => {
              const isHeld = relatives?.has(edge.from.item.id) && relatives.has(edge.to.item.id)
              return (
                <path
                  key={`${edge.from.item.id} ${edge.to.item.id}`}
                  d={isOutline ? elbow(edge) : curve(edge)}
                  fill="none"
                  stroke={isHeld ? 'var(--leaf)' : 'var(--edge)'}
                  strokeOpacity={isHeld ? 1 : 0.55}
                  strokeWidth={isHeld ? 2.25 : 1.25}
                />
              )
            })}
          </svg>
          <ul>
            {layout.placed.map(({ item, x, y, width, height }) => (
              <li key={item.id} className="absolute" style={{ left: x, top: y, width, height }}>
                <Box
                  item={item}
                  canPress={item.folded !== null || onNode !== undefined}
                  isFaint={relatives !== null && !relatives.has(item.id)}
                  onPress={() => press(item)}
                  onHold={(isHeld) => setHeld(isHeld ? item.id : null)}
                />
              </li>
            ))}
          </ul>
        </div>
      </section>
    </PlotFrame>
  )
}

function curve({ from, to }: LineageEdge): string {
  const x1 = from.x + from.width
  const y1 = from.y + from.height / 2
  const y2 = to.y + to.height / 2
  const middle = (x1 + to.x) / 2
  return `M${x1},${y1} C${middle},${y1} ${middle},${y2} ${to.x},${y2}`
}

const elbow = ({ from, to }: LineageEdge): string => `M${from.x + 9},${from.y + from.height} V${to.y + to.height / 2} H${to.x}`

type BoxProps = { item: LineageItem; canPress: boolean; isFaint: boolean; onPress: () => void; onHold: (isHeld: boolean) => void }

function Box({ item, canPress, isFaint, onPress, onHold }: BoxProps) {
  const { node, folded } = item
  const Icon = folded?.isOpen ? ChevronsDownUp : ChevronsUpDown
  const look = cx(
    'flex size-full items-center gap-2 rounded-input border px-2.5 text-left transition-[border-color,opacity]',
    node && !node.isAlive && node.kind !== 'strain' && node.kind !== 'seed-lot' ? 'border-edge border-dashed' : 'border-edge/60',
    node?.kind === 'seed-lot' ? 'bg-leaf-soft' : folded || node?.kind === 'clone' ? 'bg-sunk' : 'bg-surface',
    item.again && 'border-dotted',
    isFaint && 'opacity-45',
    canPress && 'hover:border-ink',
  )
  const words = (
    <>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5">
          <span className="truncate font-semibold text-sm leading-tight">{itemName(item)}</span>
          {node?.isKeeper && (
            <span className="shrink-0 rounded-tag bg-shine px-1 font-semibold text-[0.6875rem] text-on-shine">Keeper</span>
          )}
        </span>
        <span className="block truncate text-muted text-xs">{itemNote(item)}</span>
      </span>
      {folded && <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />}
    </>
  )
  const held = {
    onPointerEnter: () => onHold(true),
    onPointerLeave: () => onHold(false),
    onFocus: () => onHold(true),
    onBlur: () => onHold(false),
  }
  if (!canPress) {
    return (
      <div className={look} {...held}>
        {words}
      </div>
    )
  }
  return (
    <button type="button" className={look} {...(folded && { 'aria-expanded': folded.isOpen })} onClick={onPress} {...held}>
      {words}
    </button>
  )
}
