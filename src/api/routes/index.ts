import { accessRoutes } from './access.ts'
import { agentRoutes } from './agent.ts'
import { beatActionRoutes } from './beat-actions.ts'
import { beatGroupRoutes } from './beat-groups.ts'
import { beatResultRoutes } from './beat-results.ts'
import { beatRoutes } from './beats.ts'
import { checkRoutes } from './checks.ts'
import { externalEventRoutes } from './external-events.ts'
import { feedRoutes } from './feeds.ts'
import { hierarchyRoutes } from './hierarchy.ts'
import { incidentRoutes } from './incidents.ts'
import { maintenanceRoutes } from './maintenances.ts'
import { notificationRoutes } from './notifications.ts'
import { pageRoutes } from './pages.ts'
import { presetRoutes } from './presets.ts'
import { withExternalTwins } from './route.ts'
import { settingsRoutes } from './settings.ts'
import { subscriberRoutes, subscriptionRoutes } from './subscribers.ts'
import { publicViewRoutes, viewRoutes } from './views.ts'
import { vocabularyRoutes } from './vocabulary.ts'
import { workflowRoutes } from './workflows.ts'

/** All routes, for the HTTP server and the OpenAPI document. */
export const routes = withExternalTwins([
  ...pageRoutes,
  ...incidentRoutes,
  ...maintenanceRoutes,
  ...hierarchyRoutes,
  ...vocabularyRoutes,
  ...settingsRoutes,
  ...presetRoutes,
  ...accessRoutes,
  ...notificationRoutes,
  ...workflowRoutes,
  ...beatRoutes,
  ...beatResultRoutes,
  ...beatGroupRoutes,
  ...beatActionRoutes,
  ...checkRoutes,
  ...externalEventRoutes,
  ...agentRoutes,
  ...subscriberRoutes,
  ...subscriptionRoutes,
  ...feedRoutes,
  ...viewRoutes,
  ...publicViewRoutes,
])
