import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react'
import { useLayoutEffect, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import {
  foldOf,
  type LineageEdge,
  type LineageItem,
  type LineageLayout,
  type LineageNode,
  layOutLineage,
  lineageItems,
  outlineLineage,
  type PlacedItem,
  relativesOf,
} from './lineage-view.ts'
import { css, type Look } from './palette.ts'
import { fitted, type Picture, PlotFrame, type PlotProps } from './plot-frame.tsx'
import { numberText, type PlotColumn } from './plot-table.ts'

type LineageGraphProps = PlotProps & {
  /** Parents before descendants, siblings in display order. */
  nodes: readonly LineageNode[]
  onNode?: ((node: LineageNode) => void) | undefined
}

export function LineageGraph({ nodes, onNode, ...frame }: LineageGraphProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [pressedId, setPressedId] = useState<string | null>(null)
  const [width, setWidth] = useState<number | null>(null)
  // In state instead of a ref, because the section isn't rendered while loading or as a table.
  const [room, setRoom] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (!room) return
    const resizes = new ResizeObserver(() => setWidth(room.clientWidth))
    resizes.observe(room)
    return () => resizes.disconnect()
  }, [room])
  const items = lineageItems(nodes, open)
  const isOutline = width !== null && width < 600
  const layout = isOutline ? outlineLineage(items, width - 8) : layOutLineage(items)
  const relatives = pressedId === null ? null : relativesOf(pressedId, layout.edges)
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
      help="From the parents through the seed lot to phenos and clones. A dashed frame means the plant is no longer alive. Large groups of siblings are collapsed."
      use="Press a group to expand it."
      table={{ columns: lineageColumns(nodes), rows: nodes }}
      picture={() => lineagePicture(layOutLineage(items))}
      empty={{ title: 'No lineage yet', description: 'Name the cross and its seed lot to see each plant’s lineage.' }}
      height={360}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable by keyboard */}
      <section ref={setRoom} aria-label="Lineage diagram" tabIndex={0} className="max-h-[36rem] overflow-auto rounded-tag p-1">
        <div className="relative" style={{ width: layout.width, height: layout.height }}>
          <svg aria-hidden="true" className="absolute inset-0 overflow-visible" width={layout.width} height={layout.height}>
            {layout.edges.map((edge) => {
              const isPressed = relatives?.has(edge.from.item.id) && relatives.has(edge.to.item.id)
              return (
                <path
                  key={`${edge.from.item.id} ${edge.to.item.id}`}
                  d={isOutline ? elbow(edge) : curve(edge)}
                  fill="none"
                  stroke={isPressed ? 'var(--leaf)' : 'var(--edge)'}
                  strokeOpacity={isPressed ? 1 : 0.55}
                  strokeWidth={isPressed ? 2.25 : 1.25}
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
                  onPressChange={(isPressed) => setPressedId(isPressed ? item.id : null)}
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

type BoxProps = { item: LineageItem; canPress: boolean; isFaint: boolean; onPress: () => void; onPressChange: (isPressed: boolean) => void }

function Box({ item, canPress, isFaint, onPress, onPressChange }: BoxProps) {
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
  const pressedId = {
    onPointerEnter: () => onPressChange(true),
    onPointerLeave: () => onPressChange(false),
    onFocus: () => onPressChange(true),
    onBlur: () => onPressChange(false),
  }
  if (!canPress) {
    return (
      <div className={look} {...pressedId}>
        {words}
      </div>
    )
  }
  return (
    <button type="button" className={look} {...(folded && { 'aria-expanded': folded.isOpen })} onClick={onPress} {...pressedId}>
      {words}
    </button>
  )
}

function lineagePicture(layout: LineageLayout): Picture {
  return {
    width: Math.max(640, layout.width + 2),
    height: layout.height + 2,
    paint(context, look) {
      context.lineWidth = 1.25
      context.strokeStyle = css(look.palette.edge)
      for (const { from, to } of layout.edges) {
        const x = from.x + from.width
        const y1 = from.y + from.height / 2
        const y2 = to.y + to.height / 2
        const middle = (x + to.x) / 2
        context.beginPath()
        context.moveTo(x, y1)
        context.bezierCurveTo(middle, y1, middle, y2, to.x, y2)
        context.stroke()
      }
      for (const placed of layout.placed) paintBox(context, placed, look)
    },
  }
}

function paintBox(context: CanvasRenderingContext2D, { item, x, y, width, height }: PlacedItem, { palette, font }: Look): void {
  const { node } = item
  const isGone = node !== null && !node.isAlive && (node.kind === 'genotype' || node.kind === 'clone')
  const isKeeper = node?.isKeeper === true
  context.beginPath()
  context.roundRect(x + 0.5, y + 0.5, width - 1, height - 1, 10)
  const ground = node?.kind === 'seed-lot' ? palette['leaf-soft'] : node === null || node.kind === 'clone' ? palette.sunk : palette.surface
  context.fillStyle = css(ground)
  context.fill()
  context.setLineDash(isGone ? [4, 3] : [])
  context.lineWidth = isKeeper ? 3 : 1
  context.strokeStyle = css(isKeeper ? palette.shine : palette.edge)
  context.stroke()
  context.setLineDash([])
  context.lineWidth = 1.25
  context.strokeStyle = css(palette.edge)
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.fillStyle = css(palette.ink)
  context.font = `600 13px ${font}`
  const name = `${itemName(item)}${isKeeper ? ' · keeper' : ''}`
  context.fillText(fitted(context, name, width - 20), x + 10, y + 16)
  context.fillStyle = css(palette.muted)
  context.font = `400 12px ${font}`
  context.fillText(fitted(context, itemNote(item), width - 20), x + 10, y + 33)
}

const kindNames: Record<LineageNode['kind'], string> = {
  strain: 'Parent',
  'seed-lot': 'Seed lot',
  genotype: 'Pheno',
  clone: 'Clone',
}
const manyNames: Record<LineageNode['kind'], string> = { strain: 'parents', 'seed-lot': 'seed lots', genotype: 'siblings', clone: 'clones' }

const itemName = ({ node, folded }: LineageItem): string =>
  node?.name ?? `${numberText(folded?.count ?? 0)} ${folded ? manyNames[folded.kind] : ''}`

function itemNote({ node, folded, again }: LineageItem): string {
  if (folded) return folded.isOpen ? 'Show fewer' : `${numberText(folded.alive)} alive, collapsed`
  if (again) return `${kindNames[node.kind]}, repeated`
  const isGone = !node.isAlive && (node.kind === 'genotype' || node.kind === 'clone')
  return [kindNames[node.kind], ...(node.note ? [node.note] : []), ...(isGone ? ['gone'] : [])].join(' · ')
}

function lineageColumns(nodes: readonly LineageNode[]): PlotColumn<LineageNode>[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  const nameOf = (id: string | undefined) => (id === undefined ? null : (names.get(id) ?? null))
  return [
    { key: 'name', label: 'Name', value: ({ name }) => name },
    { key: 'kind', label: 'Kind', value: ({ kind }) => kindNames[kind] },
    { key: 'first', label: 'Mother or source', value: ({ parents }) => nameOf(parents[0]) },
    { key: 'second', label: 'Father', value: ({ parents }) => nameOf(parents[1]) },
    { key: 'note', label: 'Note', value: ({ note }) => note ?? null },
    { key: 'alive', label: 'Alive', kind: 'yes-no', value: ({ isAlive }) => isAlive },
    { key: 'keeper', label: 'Keeper', kind: 'yes-no', value: ({ isKeeper }) => isKeeper === true },
  ]
}
