import 'maplibre-gl/dist/maplibre-gl.css'
import './map.css'
import * as maplibre from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { unwrappedBounds, wrappedBox } from './area.ts'
import { updateDetail } from './detail.ts'
import {
  drawPin,
  MAX_ZOOM,
  MIN_ZOOM,
  mapLayers,
  mapStyle,
  opensAsList,
  type Palette,
  PIN_PIXEL_RATIO,
  POINTED_PIN,
  ROOM,
  ROOM_SIZE,
  repaint,
  SELECTED_PIN,
} from './map-style.ts'
import { arePinsSame, isBusiness, type PinFeature, pinFeature, pinFeatures } from './pin-features.ts'
import type { MapArea, MapTarget, ShownPin, TileSettings } from './types.ts'

maplibre.setWorkerUrl(workerUrl)

/** Businesses at the same spot, or too close to separate by zooming. */
export type PinGroup = { pins: ShownPin[]; total: number; longitude: number; latitude: number }

export type MapViewOptions = {
  palette: Palette
  target: MapTarget | undefined
  /** Height of the covered part at the bottom edge, in pixels. */
  covered: number
  tiles: TileSettings | undefined
  label: string
  descriptionId: string
  onArea: (area: MapArea) => void
  onPick: (group: PinGroup) => void
  /** Called when the background or a cluster that expands is pressed, to close what is open. */
  onPickNothing: () => void
  onHover: (pin: ShownPin | null) => void
}

export type MapView = {
  setPins: (pins: readonly ShownPin[]) => void
  setMarked: (selected: ShownPin | null, hovered: ShownPin | null) => void
  setPalette: (palette: Palette) => void
  goTo: (target: MapTarget) => void
  setCovered: (pixels: number) => void
  reveal: (pin: ShownPin) => void
  zoomBy: (steps: number) => void
  /** The caller fills the returned element. */
  openPopup: (group: PinGroup) => HTMLElement
  closePopup: () => void
  focus: () => void
  remove: () => void
}

const CONTIGUOUS_STATES: MapTarget = { west: -124.8, south: 24.4, east: -66.9, north: 49.4 }
const MOST_LISTED = 500
/** In pixels from a pin. */
const REACH = 14
const MOVE_MS = 450
/** `=` and `_` share their keys with `+` and `-` on most keyboards. */
const zoomKeys: Record<string, number> = { '+': 1, '=': 1, '-': -1, _: -1 }
/** In pixels. Pins rise above their point, so one that is closer to an edge doesn't count as visible. */
const EDGE = 48
/** Limits the zoom, so a single business is shown with its neighborhood. */
const CLOSEST_FIT = 12

/** @throws if the browser lacks WebGL 2 */
export function createMapView(container: HTMLElement, options: MapViewOptions): MapView {
  const { width } = container.getBoundingClientRect()
  const padding = Math.min(40, width * 0.06)
  const map = new maplibre.Map({
    container,
    style: mapStyle(options.palette),
    ...firstView(options.target ?? CONTIGUOUS_STATES, paddingAbove(options.covered, padding)),
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 120,
    locale: { 'Map.Title': options.label },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.addControl(new maplibre.AttributionControl({ compact: false }))
  describeCanvas(map, options.descriptionId)
  trackBusy(map)

  let { palette } = options
  let pins: readonly ShownPin[] = []
  /** Pins to apply when a move ends, because sending thousands to the worker takes longer than a frame. */
  let coming: readonly ShownPin[] = []
  let { covered } = options
  let wasMovedByPerson = false
  let popup: maplibre.Popup | null = null
  let repaintBasemap: ((palette: Palette) => void) | null = null
  const source = (id: string) => map.getSource<maplibre.GeoJSONSource>(id)

  let ready = false
  const whenReady = (act: () => void) => (ready ? act() : void map.once('style.load', act))
  map.once('style.load', () => {
    map.addImage(ROOM, { width: ROOM_SIZE, height: ROOM_SIZE, data: new Uint8Array(ROOM_SIZE * ROOM_SIZE * 4) })
    drawPins(map, palette)
    ready = true
    options.onArea(areaOf(map, covered, false))
  })

  map.on('moveend', (event) => {
    wasMovedByPerson = event.originalEvent !== undefined || 'byPerson' in event
    options.onArea(areaOf(map, covered, wasMovedByPerson))
  })
  map.on('moveend', takePins)
  // Show pins first, because counties and towns would keep the worker busy.
  map.once('idle', () => updateDetail(map, () => areaOf(map, 0, false)))
  map.on('click', (event) => void pick(event.point, event.originalEvent))
  map.getCanvas().addEventListener('keydown', (event) => {
    const steps = event.ctrlKey || event.metaKey || event.altKey ? 0 : (zoomKeys[event.key] ?? 0)
    if (event.key !== 'Enter' && event.key !== ' ' && steps === 0) return
    event.preventDefault()
    if (steps === 0) return void pick(visibleCenter())
    // MapLibre would zoom about the canvas's center.
    event.stopPropagation()
    zoomBy(steps)
  })
  watchPointer()

  function visibleCenter(): maplibre.Point {
    const { clientWidth, clientHeight } = map.getCanvas()
    return new maplibre.Point(clientWidth / 2, (clientHeight - covered) / 2)
  }

  function zoomBy(steps: number) {
    const around = map.unproject(visibleCenter())
    map.easeTo({ zoom: map.getZoom() + steps, around, duration: 250 }, { byPerson: true })
  }

  function takePins() {
    if (!ready || arePinsSame(pins, coming)) return
    pins = coming
    void source('pins')?.setData(pinFeatures(pins))
  }

  function nearest(point: maplibre.Point): maplibre.MapGeoJSONFeature | null {
    if (!ready) return null
    const box: [maplibre.PointLike, maplibre.PointLike] = [
      [point.x - REACH, point.y - REACH],
      [point.x + REACH, point.y + REACH],
    ]
    let best: maplibre.MapGeoJSONFeature | null = null
    let bestDistance = Number.POSITIVE_INFINITY
    for (const feature of map.queryRenderedFeatures(box, { layers: ['pins', 'clusters'] })) {
      const distance = map.project(positionOf(feature)).dist(point)
      if (distance < bestDistance) [best, bestDistance] = [feature, distance]
    }
    return best ?? map.queryRenderedFeatures(point, { layers: ['marked'] })[0] ?? null
  }

  async function pick(point: maplibre.Point, cause?: Event) {
    const feature = nearest(point)
    if (!feature) return options.onPickNothing()
    const center = positionOf(feature)
    const moveIn = (zoom: number) => {
      options.onPickNothing()
      map.easeTo({ center, zoom, offset: [0, -covered / 2], duration: MOVE_MS }, { byPerson: true, originalEvent: cause })
    }
    const { cluster_id: cluster, point_count: count, at } = feature.properties as { cluster_id?: number; point_count?: number; at?: number }
    if (cluster === undefined) {
      const pin = feature.source === 'marked' ? pins.find(({ id }) => id === feature.properties.id) : pins[at ?? -1]
      if (pin && isBusiness(pin)) options.onPick({ pins: [pin], total: 1, longitude: pin.longitude, latitude: pin.latitude })
      else moveIn(map.getZoom() + 2)
      return
    }
    const group = await groupOf(cluster, count ?? 0)
    if (group === null) return
    if (typeof group === 'number') moveIn(group)
    else options.onPick({ ...group, longitude: center.lng, latitude: center.lat })
  }

  /** Returns a cluster's businesses to list, or the level to zoom to. Null if newer pins replaced the cluster. */
  async function groupOf(cluster: number, count: number): Promise<{ pins: ShownPin[]; total: number } | number | null> {
    const current = pins
    try {
      const zoom = await source('pins')!.getClusterExpansionZoom(cluster)
      if (!opensAsList(zoom, count)) return Math.min(zoom + 0.25, MAX_ZOOM)
      const leaves = await source('pins')!.getClusterLeaves(cluster, MOST_LISTED, 0)
      if (pins !== current) return null
      const members = leaves.map((leaf) => pins[(leaf.properties as PinFeature['properties']).at]!)
      return members.every(isBusiness) ? { pins: members, total: count } : Math.min(map.getZoom() + 2, MAX_ZOOM)
    } catch {
      return null
    }
  }

  function watchPointer() {
    let frame = 0
    let last: ShownPin | null = null
    const report = (pin: ShownPin | null) => {
      if (pin !== last) options.onHover(pin)
      last = pin
    }
    map.on('mousemove', ({ point }) => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        if (map.isMoving()) return
        const feature = nearest(point)
        map.getCanvas().style.cursor = feature ? 'pointer' : ''
        const pin = feature?.layer.id === 'pins' ? pins[(feature.properties as PinFeature['properties']).at] : undefined
        if (feature?.source !== 'marked') report(pin && isBusiness(pin) ? pin : null)
      })
    })
    map.on('mouseout', () => {
      cancelAnimationFrame(frame)
      report(null)
    })
    map.on('remove', () => cancelAnimationFrame(frame))
  }

  if (options.tiles?.url || options.tiles?.pmtiles) {
    const { tiles } = options
    void import('./basemap.ts').then(({ addBasemap }) => {
      whenReady(async () => {
        repaintBasemap = await addBasemap(map, tiles, () => palette)
      })
    })
  }

  return {
    setPins(next) {
      coming = next
      whenReady(() => map.isMoving() || takePins())
    },
    setMarked(selected, hovered) {
      const shown = [hovered?.id === selected?.id ? null : hovered, selected].filter((pin) => pin !== null)
      const features = shown.map((pin) => {
        const feature = pinFeature(pin, -1)
        return { ...feature, properties: { ...feature.properties, id: pin.id, selected: pin === selected } }
      })
      whenReady(() => void source('marked')?.setData({ type: 'FeatureCollection', features }))
    },
    setPalette(next) {
      if (JSON.stringify(next) === JSON.stringify(palette)) return
      palette = next
      whenReady(() => {
        drawPins(map, palette)
        repaint(map, mapLayers(palette))
        repaintBasemap?.(palette)
      })
    },
    goTo(target) {
      const camera =
        'west' in target
          ? map.cameraForBounds(unwrappedBounds(target), { padding: paddingAbove(covered, padding), maxZoom: CLOSEST_FIT })
          : { center: [target.longitude, target.latitude] as [number, number], zoom: target.zoom }
      if (!camera?.center) return
      const { clientWidth, clientHeight } = map.getCanvas()
      const isFar = map.project(camera.center).dist(map.project(map.getCenter())) > 4 * Math.max(clientWidth, clientHeight)
      if (isFar) map.jumpTo(camera)
      else map.easeTo({ ...camera, duration: MOVE_MS })
    },
    setCovered(pixels) {
      if (pixels === covered) return
      covered = pixels
      whenReady(() => options.onArea(areaOf(map, covered, wasMovedByPerson)))
    },
    reveal({ longitude, latitude }) {
      const { x, y } = map.project([longitude, latitude])
      const { clientWidth, clientHeight } = map.getCanvas()
      const isVisible = x > EDGE && x < clientWidth - EDGE && y > EDGE && y < clientHeight - covered - EDGE
      if (!isVisible) map.easeTo({ center: [longitude, latitude], offset: [0, -covered / 2], duration: MOVE_MS })
    },
    zoomBy,
    openPopup({ longitude, latitude }) {
      popup?.remove()
      const element = document.createElement('div')
      popup = new maplibre.Popup({
        closeButton: false,
        closeOnClick: false,
        focusAfterOpen: false,
        maxWidth: 'min(19rem, calc(100% - 1.5rem))',
        offset: besidePin,
        padding: edge,
      })
        .setLngLat([longitude, latitude])
        .setDOMContent(element)
        .addTo(map)
      const opened = popup
      // The popup chose its side while empty, so position it again once it has content.
      new ResizeObserver((_, observer) => (opened.isOpen() ? opened.setLngLat(opened.getLngLat()) : observer.disconnect())).observe(element)
      return element
    },
    closePopup() {
      popup?.remove()
      popup = null
    },
    focus: () => map.getCanvas().focus({ preventScroll: true }),
    remove() {
      popup?.remove()
      map.remove()
    },
  }
}

const besidePin: maplibre.Offset = {
  bottom: [0, -44],
  'bottom-left': [12, -40],
  'bottom-right': [-12, -40],
  top: [0, 28],
  'top-left': [0, 28],
  'top-right': [0, 28],
  left: [22, -18],
  right: [-22, -18],
  center: [0, 0],
}
const edge = { top: 8, right: 8, bottom: 8, left: 8 }

function positionOf(feature: maplibre.MapGeoJSONFeature): maplibre.LngLat {
  const [longitude, latitude] = (feature.geometry as GeoJSON.Point).coordinates
  return new maplibre.LngLat(longitude!, latitude!)
}

const paddingAbove = (covered: number, padding: number): maplibre.PaddingOptions => ({
  top: padding,
  left: padding,
  right: padding,
  bottom: padding + covered,
})

function firstView(target: MapTarget, padding: maplibre.PaddingOptions): Partial<maplibre.MapOptions> {
  if ('west' in target) return { bounds: unwrappedBounds(target), fitBoundsOptions: { padding, maxZoom: CLOSEST_FIT } }
  return { center: [target.longitude, target.latitude], zoom: target.zoom }
}

function areaOf(map: maplibre.Map, covered: number, byPerson: boolean): MapArea {
  const bounds = map.getBounds()
  const south = covered === 0 ? bounds.getSouth() : map.unproject([0, map.getCanvas().clientHeight - covered]).lat
  const box = wrappedBox(bounds.getWest(), south, bounds.getEast(), bounds.getNorth())
  return { ...box, zoom: map.getZoom(), byPerson }
}

/** Sets `role="application"`, because arrow keys move the map. */
function describeCanvas(map: maplibre.Map, descriptionId: string) {
  const canvas = map.getCanvas()
  canvas.setAttribute('role', 'application')
  canvas.setAttribute('aria-describedby', descriptionId)
}

/** Sets `aria-busy` while moving or loading, when the result of a press is undetermined. */
function trackBusy(map: maplibre.Map) {
  const canvas = map.getCanvas()
  canvas.setAttribute('aria-busy', 'true')
  map.on('movestart', () => canvas.setAttribute('aria-busy', 'true'))
  map.on('dataloading', () => canvas.setAttribute('aria-busy', 'true'))
  map.on('idle', () => canvas.setAttribute('aria-busy', 'false'))
}

function drawPins(map: maplibre.Map, palette: Palette) {
  for (const name of [SELECTED_PIN, POINTED_PIN]) {
    const image = drawPin(palette, name === SELECTED_PIN)
    if (!image) continue
    if (map.hasImage(name)) map.updateImage(name, image)
    else map.addImage(name, image, { pixelRatio: PIN_PIXEL_RATIO })
  }
}
