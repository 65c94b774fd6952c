/** The plotting library, reduced to what our plots draw. Only `use-chart.ts` fetches this module, and only when a plot is on the screen. */
import { CustomChart, LineChart, ScatterChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'

use([LineChart, ScatterChart, CustomChart, GridComponent, LabelLayout, CanvasRenderer])

export { init } from 'echarts/core'
