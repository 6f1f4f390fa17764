"""The experiment's tables, and the site to look at. IN: runs/<run>/<eval_hash>/scores.csv, runs/<run>/traj/
OUT: experiments/<name>-<digest>/scores.csv, tables/, figures/, report/index.html

Pages of trajectories (report/t/) are not outputs: Snakemake would delete all of them before one is made anew.
"""


rule report:
    localrule: True
    input:
        [plan.scores for plan in experiment.runs],
    output:
        scores=experiment.folder / "scores.csv",
        provenance=experiment.folder / "experiment.yaml",
        tables=[shown(experiment.folder / "tables" / f"{sheet}.csv", sheet, "Tables") for sheet in experiment.sheets],
        forms=expand(experiment.folder / "tables" / "{sheet}.{form}", sheet=experiment.sheets, form=["md", "tex"]),
        figures=[shown(experiment.folder / "figures" / f"{name}.png", name, "Figures") for name in experiment.figures],
        drawings=expand(experiment.folder / "figures" / "{figure}.pdf", figure=experiment.figures),
        document=experiment.folder / "report.tex",
        site=expand(experiment.folder / "report" / "{page}", page=["index.html", "tasks.html", "compare.html", "data.js"]),
    log:
        f"results/logs/report/{experiment.folder.name}.log",
    script:
        "../scripts/report.py"
