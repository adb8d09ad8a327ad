// Generated from @earendil-works/pi-ai 1.6.0 by scripts/generate-routes.mjs. Do not edit.
import type { ExcludedProvider, Route } from './route.ts';

/** Version of the agent's catalogue that the routes come from. */
export const PI_VERSION = '1.6.0';

/** Every provider of Pi 1.6.0 whose bases are fixed https URLs and whose credential is a header. */
export const PI_ROUTES: readonly Route[] = [
  {
    "id": "ant-ling",
    "variables": [
      {
        "name": "ANT_LING_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.ant-ling.com/v1"
      }
    ]
  },
  {
    "id": "anthropic",
    "variables": [
      {
        "name": "ANTHROPIC_AUTH_TOKEN",
        "scheme": "bearer"
      },
      {
        "name": "ANTHROPIC_OAUTH_TOKEN",
        "scheme": "bearer",
        "tokenPrefix": "sk-ant-oat01-"
      },
      {
        "name": "ANTHROPIC_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "anthropic-messages",
        "base": "https://api.anthropic.com"
      }
    ]
  },
  {
    "id": "baseten",
    "variables": [
      {
        "name": "BASETEN_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://inference.baseten.co/v1"
      }
    ]
  },
  {
    "id": "cerebras",
    "variables": [
      {
        "name": "CEREBRAS_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.cerebras.ai/v1"
      }
    ]
  },
  {
    "id": "deepseek",
    "variables": [
      {
        "name": "DEEPSEEK_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.deepseek.com"
      }
    ]
  },
  {
    "id": "fireworks",
    "variables": [
      {
        "name": "FIREWORKS_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "anthropic-messages",
        "base": "https://api.fireworks.ai/inference"
      },
      {
        "kind": "openai-completions",
        "base": "https://api.fireworks.ai/inference/v1"
      }
    ]
  },
  {
    "id": "github-copilot",
    "variables": [
      {
        "name": "COPILOT_GITHUB_TOKEN",
        "scheme": "bearer"
      }
    ],
    "apis": [
      {
        "kind": "anthropic-messages",
        "base": "https://api.individual.githubcopilot.com"
      },
      {
        "kind": "openai-responses",
        "base": "https://api.individual.githubcopilot.com"
      },
      {
        "kind": "openai-completions",
        "base": "https://api.individual.githubcopilot.com"
      },
      {
        "kind": "typesafe-system-one",
        "base": "https://api.individual.githubcopilot.com"
      }
    ]
  },
  {
    "id": "google",
    "variables": [
      {
        "name": "GEMINI_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "google-generative-ai",
        "base": "https://generativelanguage.googleapis.com/v1beta"
      }
    ]
  },
  {
    "id": "groq",
    "variables": [
      {
        "name": "GROQ_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.groq.com/openai/v1"
      }
    ]
  },
  {
    "id": "huggingface",
    "variables": [
      {
        "name": "HF_TOKEN"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://router.huggingface.co/v1"
      }
    ]
  },
  {
    "id": "kimi-coding",
    "variables": [
      {
        "name": "KIMI_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.kimi.com/coding/v1"
      }
    ]
  },
  {
    "id": "meta",
    "variables": [
      {
        "name": "META_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-responses",
        "base": "https://api.meta.ai/v1"
      }
    ]
  },
  {
    "id": "minimax",
    "variables": [
      {
        "name": "MINIMAX_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "anthropic-messages",
        "base": "https://api.minimax.io/anthropic"
      }
    ]
  },
  {
    "id": "minimax-cn",
    "variables": [
      {
        "name": "MINIMAX_CN_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "anthropic-messages",
        "base": "https://api.minimaxi.com/anthropic"
      }
    ]
  },
  {
    "id": "mistral",
    "variables": [
      {
        "name": "MISTRAL_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "mistral-conversations",
        "base": "https://api.mistral.ai"
      }
    ]
  },
  {
    "id": "moonshotai",
    "variables": [
      {
        "name": "MOONSHOT_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.moonshot.ai/v1"
      }
    ]
  },
  {
    "id": "moonshotai-cn",
    "variables": [
      {
        "name": "MOONSHOT_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.moonshot.cn/v1"
      }
    ]
  },
  {
    "id": "nvidia",
    "variables": [
      {
        "name": "NVIDIA_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://integrate.api.nvidia.com/v1"
      }
    ]
  },
  {
    "id": "openai",
    "variables": [
      {
        "name": "OPENAI_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-responses",
        "base": "https://api.openai.com/v1"
      },
      {
        "kind": "openai-decisions",
        "base": "https://api.openai.com/v1"
      }
    ]
  },
  {
    "id": "opencode",
    "variables": [
      {
        "name": "OPENCODE_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "anthropic-messages",
        "base": "https://opencode.ai/inference/anthropic"
      },
      {
        "kind": "openai-responses",
        "base": "https://opencode.ai/inference/openai/v1"
      },
      {
        "kind": "openai-completions",
        "base": "https://opencode.ai/inference/openai/v1"
      },
      {
        "kind": "google-generative-ai",
        "base": "https://opencode.ai/inference/google/v1beta"
      },
      {
        "kind": "typesafe-system-one",
        "base": "https://opencode.ai/inference/systemone/v1"
      }
    ]
  },
  {
    "id": "opencode-go",
    "variables": [
      {
        "name": "OPENCODE_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "anthropic-messages",
        "base": "https://opencode.ai/inference/go/anthropic"
      },
      {
        "kind": "openai-responses",
        "base": "https://opencode.ai/inference/go/openai/v1"
      },
      {
        "kind": "openai-completions",
        "base": "https://opencode.ai/inference/go/openai/v1"
      },
      {
        "kind": "google-generative-ai",
        "base": "https://opencode.ai/inference/go/google/v1beta"
      }
    ]
  },
  {
    "id": "openrouter",
    "variables": [
      {
        "name": "OPENROUTER_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "anthropic-messages",
        "base": "https://openrouter.ai/api"
      },
      {
        "kind": "openai-completions",
        "base": "https://openrouter.ai/api/v1"
      },
      {
        "kind": "typesafe-system-one",
        "base": "https://openrouter.ai/api/v1"
      },
      {
        "kind": "openrouter-images",
        "base": "https://openrouter.ai/api/v1"
      }
    ]
  },
  {
    "id": "qwen-token-plan",
    "variables": [
      {
        "name": "QWEN_TOKEN_PLAN_TEAM_API_KEY"
      },
      {
        "name": "QWEN_TOKEN_PLAN_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://token-plan.maas.qwencloudapi.com/compatible-mode/v1"
      }
    ]
  },
  {
    "id": "qwen-token-plan-cn",
    "variables": [
      {
        "name": "QWEN_TOKEN_PLAN_TEAM_CN_API_KEY"
      },
      {
        "name": "QWEN_TOKEN_PLAN_CN_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://token-plan.maas.qianwenaiapi.com/compatible-mode/v1"
      }
    ]
  },
  {
    "id": "qwen-token-plan-individual",
    "variables": [
      {
        "name": "QWEN_TOKEN_PLAN_INDIVIDUAL_API_KEY"
      },
      {
        "name": "QWEN_TOKEN_PLAN_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://token-plan.maas.qwencloudapi.com/compatible-mode/v1"
      }
    ]
  },
  {
    "id": "qwen-token-plan-individual-cn",
    "variables": [
      {
        "name": "QWEN_TOKEN_PLAN_INDIVIDUAL_CN_API_KEY"
      },
      {
        "name": "QWEN_TOKEN_PLAN_CN_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://token-plan.maas.qianwenaiapi.com/compatible-mode/v1"
      }
    ]
  },
  {
    "id": "radius",
    "variables": [
      {
        "name": "RADIUS_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "pi-messages",
        "base": "https://radius.pi.dev/v1"
      }
    ]
  },
  {
    "id": "together",
    "variables": [
      {
        "name": "TOGETHER_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.together.ai/v1"
      }
    ]
  },
  {
    "id": "typesafe",
    "variables": [
      {
        "name": "TYPESAFE_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "typesafe-system-one",
        "base": "https://api.typesafe.ai/v1"
      }
    ]
  },
  {
    "id": "vercel-ai-gateway",
    "variables": [
      {
        "name": "AI_GATEWAY_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "anthropic-messages",
        "base": "https://ai-gateway.vercel.sh"
      },
      {
        "kind": "typesafe-system-one",
        "base": "https://ai-gateway.vercel.sh/typesafe/v1"
      }
    ]
  },
  {
    "id": "xai",
    "variables": [
      {
        "name": "XAI_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-responses",
        "base": "https://api.x.ai/v1"
      }
    ]
  },
  {
    "id": "xiaomi",
    "variables": [
      {
        "name": "XIAOMI_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.xiaomimimo.com/v1"
      }
    ]
  },
  {
    "id": "xiaomi-token-plan-ams",
    "variables": [
      {
        "name": "XIAOMI_TOKEN_PLAN_AMS_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://token-plan-ams.xiaomimimo.com/v1"
      }
    ]
  },
  {
    "id": "xiaomi-token-plan-cn",
    "variables": [
      {
        "name": "XIAOMI_TOKEN_PLAN_CN_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://token-plan-cn.xiaomimimo.com/v1"
      }
    ]
  },
  {
    "id": "xiaomi-token-plan-sgp",
    "variables": [
      {
        "name": "XIAOMI_TOKEN_PLAN_SGP_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://token-plan-sgp.xiaomimimo.com/v1"
      }
    ]
  },
  {
    "id": "zai",
    "variables": [
      {
        "name": "ZAI_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://api.z.ai/api/coding/paas/v4"
      }
    ]
  },
  {
    "id": "zai-coding-cn",
    "variables": [
      {
        "name": "ZAI_CODING_CN_API_KEY"
      }
    ],
    "apis": [
      {
        "kind": "openai-completions",
        "base": "https://open.bigmodel.cn/api/coding/paas/v4"
      }
    ]
  }
];

/** Providers of Pi 1.6.0 without a route. */
export const PI_EXCLUDED: readonly ExcludedProvider[] = [
  {
    "id": "amazon-bedrock",
    "reason": "request-signing"
  },
  {
    "id": "azure",
    "reason": "user-supplied-base"
  },
  {
    "id": "cloudflare-ai-gateway",
    "reason": "templated-base"
  },
  {
    "id": "cloudflare-workers-ai",
    "reason": "templated-base"
  },
  {
    "id": "google-vertex",
    "reason": "templated-base"
  },
  {
    "id": "openai-codex",
    "reason": "oauth-only"
  }
];
