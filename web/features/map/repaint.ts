import type { AllPaintProperties, LayerSpecification, Map as MapLibre } from 'maplibre-gl'

/** Gives layers that are on the map the colors of the same layers in another theme. */
export function repaint(map: MapLibre, layers: readonly LayerSpecification[]): void {
  for (const layer of layers) {
    if (!map.getLayer(layer.id)) continue
    for (const [name, value] of Object.entries(layer.paint ?? {})) {
      map.setPaintProperty(layer.id, name as keyof AllPaintProperties, value)
    }
  }
}
