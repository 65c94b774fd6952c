/** Registers only what our plots use. `chart.tsx` loads this once a plot is rendered. */
import { CustomChart, LineChart, ScatterChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'

use([LineChart, ScatterChart, CustomChart, GridComponent, LabelLayout, CanvasRenderer])

export { init } from 'echarts/core'
